"""The benchmark archipel-bench-1: frozen settings, submissions, their verification and report."""
