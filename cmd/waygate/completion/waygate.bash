# Completion of waygate for Bash: put "source <(waygate completion bash)" into ~/.bashrc.

_waygate() {
    local line
    COMPREPLY=()
    while IFS= read -r line; do
        COMPREPLY+=("${line%%$'\t'*}")
    done < <("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
# Without a candidate Bash completes names of files.
complete -o bashdefault -o default -F _waygate waygate
