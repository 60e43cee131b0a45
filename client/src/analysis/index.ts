/** The evaluation for callers other than its worker. */
export { RulesModule } from "../engine/rules_module";
export { PairedRollouts } from "../engine/paired_rollouts";
export { Turns } from "../engine/turns";
export { PositionRollouts } from "./position_rollouts";
export { TurnEvaluation } from "./turn_evaluation";
