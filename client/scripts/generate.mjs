// Runs generate_typescript.py with a Python that has the package's libraries: the one that
// ARCHIPEL_PYTHON names, else the one of .venv, else the system's.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const windows = process.platform === "win32";
const environment = path(`../../.venv/${windows ? "Scripts/python.exe" : "bin/python"}`);
const system = windows ? "python" : "python3";
const python = process.env.ARCHIPEL_PYTHON || (existsSync(environment) ? environment : system);
const { status, error } = spawnSync(python, [path("generate_typescript.py")], { stdio: "inherit" });
if (error) console.error(`cannot run ${python}: ${error.message}`);
process.exit(status ?? 1);
