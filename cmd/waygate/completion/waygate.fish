# Completion of waygate for fish: save this as ~/.config/fish/completions/waygate.fish.

function __waygate_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    set -l found ($words[1] complete -- $words[2..-1] "$last" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\n' $found
    else
        __fish_complete_path "$last"
    end
end

complete -c waygate -f -a '(__waygate_complete)'
