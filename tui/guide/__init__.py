"""Guided exercises without a screen: sessions, grading, transcripts."""
