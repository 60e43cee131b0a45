"""Rules as machine code for the processor at hand."""
