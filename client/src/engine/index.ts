/** The engine for callers other than its worker. */
export { Engine, type PlayedOut, type Tried } from "./engine";
export { isRecomputed } from "./recompute";
export { RulesModule } from "./rules_module";
