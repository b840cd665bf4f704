((import path: (string) @module) @import @all)
