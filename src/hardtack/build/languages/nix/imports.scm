((path_expression) @module @import)
