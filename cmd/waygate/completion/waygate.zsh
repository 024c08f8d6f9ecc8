#compdef waygate
# Completion of waygate for Zsh: put "source <(waygate completion zsh)" into ~/.zshrc behind
# compinit, or this file as _waygate into a folder of $fpath.

_waygate() {
    local line
    local -a found
    while IFS= read -r line; do
        found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    done < <("${words[1]}" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)
    if (( $#found )); then
        _describe -V waygate found
    else
        _files
    fi
}

if [[ "${funcstack[1]}" == _waygate ]]; then
    _waygate "$@"
else
    compdef _waygate waygate
fi
