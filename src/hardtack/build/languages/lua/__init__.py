"""Lua: functions are named by the table they are put into."""
