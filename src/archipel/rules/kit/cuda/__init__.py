"""Rules as C++ for a graphics card."""
