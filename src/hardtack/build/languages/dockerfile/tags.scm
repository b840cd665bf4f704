; A stage reaches to the next FROM; one without a name is named by its image.
((from_instruction as: (image_alias) @name) @definition.stage
  . [
    (add_instruction) (arg_instruction) (cmd_instruction) (copy_instruction) (cross_build_instruction) (entrypoint_instruction)
    (env_instruction) (expose_instruction) (healthcheck_instruction) (label_instruction) (maintainer_instruction)
    (onbuild_instruction) (run_instruction) (shell_instruction) (stopsignal_instruction) (user_instruction) (volume_instruction)
    (workdir_instruction) "\n"
  ]* @body @definition.stage)
((from_instruction !as (image_spec name: (image_name) @name)) @definition.stage
  . [
    (add_instruction) (arg_instruction) (cmd_instruction) (copy_instruction) (cross_build_instruction) (entrypoint_instruction)
    (env_instruction) (expose_instruction) (healthcheck_instruction) (label_instruction) (maintainer_instruction)
    (onbuild_instruction) (run_instruction) (shell_instruction) (stopsignal_instruction) (user_instruction) (volume_instruction)
    (workdir_instruction) "\n"
  ]* @body @definition.stage)

(arg_instruction name: (_) @name) @definition.variable
(env_pair name: (_) @name) @definition.variable
(label_pair key: (_) @name) @definition.key
(env_instruction) @outer
(comment) @comment
