"""Rules as data: decorators, fields, chance, lowering, programs and how they run interpreted."""
