// Generated code includes it, and uses nothing of it.
