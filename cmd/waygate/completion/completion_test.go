package completion

import (
	"bytes"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestScripts prints the script of each shell, which calls the hidden command.
func TestScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		var c struct {
			Completion Command  `cmd:""`
			Complete   Complete `cmd:"" hidden:""`
		}
		var out bytes.Buffer
		parser, err := kong.New(&c, kong.Writers(&out, &out))
		if err != nil {
			t.Fatal(err)
		}
		line, err := parser.Parse([]string{"completion", shell})
		if err != nil {
			t.Fatal(err)
		}
		if err := line.Run(); err != nil || !strings.Contains(out.String(), " complete -- ") {
			t.Errorf("%s: %v, %q", shell, err, out.String())
		}
	}
}
