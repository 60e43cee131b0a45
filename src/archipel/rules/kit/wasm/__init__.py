"""Rules as a WebAssembly module."""
