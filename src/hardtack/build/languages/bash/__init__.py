"""Shell: functions, aliases, variables."""
