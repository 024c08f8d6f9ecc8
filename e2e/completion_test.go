package e2e

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waygate/waygate/waittest"
)

// completions are how each shell is driven: a script that completes a line of the
// command waygate, which is on the path, and what it must write.
var completions = map[string]struct {
	args   []string
	script string
	want   []string
}{
	"bash": {[]string{"-c"}, `source <(waygate completion bash)
complete -p waygate
try() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _waygate; printf '<%s>' "${COMPREPLY[@]}"; }
try waygate serve --log-f
try waygate serve --log-format = j
try waygate keys ""`, []string{"-F _waygate waygate", "<--log-format>", "<json>", "<mint><list><revoke><credit>"}},
	"zsh": {[]string{"-f", "-c"}, `zmodload zsh/zpty
zpty z "TERM=dumb zsh -f -i"
zpty -w z 'PS1=; autoload -Uz compinit; compinit -u -D; source <(waygate completion zsh); print rea''dy'
zpty -r z out '*ready*'
zpty -w -n z $'waygate serve --log-f\t'
zpty -r z out '*--log-format*'
print -r -- "$out"
zpty -d z`, []string{"--log-format"}},
	"fish": {[]string{"-c"}, `waygate completion fish | source
complete -C "waygate serve --log-f"
complete -C "waygate serve --log-format=j"
complete -C "waygate keys m"`, []string{"--log-format\t", "--log-format=json", "mint\t"}},
}

// TestCompletion has the shells that are installed complete command lines.
func TestCompletion(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	program, err := filepath.Abs(binary)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(program, filepath.Join(bin, "waygate")); err != nil {
		t.Fatal(err)
	}
	for shell, c := range completions {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil {
				t.Skipf("%s is not installed (Debian package %[1]s)", shell)
			}
			ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
			defer cancel()
			cmd := exec.CommandContext(ctx, path, append(c.args, c.script)...)
			cmd.Dir, cmd.Env = t.TempDir(), append(environment(nil), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir())
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, want := range c.want {
				if !strings.Contains(string(out), want) {
					t.Errorf("%q is not in %s", want, out)
				}
			}
		})
	}
}
