/** The evaluation for callers other than its worker. */
export { RulesModule } from "../engine/rules_module";
export { PairedRollouts, TO_THE_END } from "./paired_rollouts";
export { DecisionEvaluation } from "./decision_evaluation";
