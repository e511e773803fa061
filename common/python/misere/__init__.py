"""Misère quotients of impartial games."""
