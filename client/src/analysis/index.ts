/** The weighing for callers other than its worker. */
export { RulesModule } from "../engine/rules_module";
export { Scales, TO_THE_END } from "./scales";
export { Weighed } from "./weighed";
