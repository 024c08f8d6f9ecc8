package speech

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/waygate/waygate/fault"
)

// mostSound bounds what an engine answers, in bytes.
const mostSound = 32 << 20

// speakBy runs a program that reads a text from its standard input and writes sound to its
// standard output. No shell and no argument has any of the text.
func speakBy(ctx context.Context, command *exec.Cmd, text string) ([]byte, error) {
	var out, said limited
	command.Stdin, command.Stdout, command.Stderr, command.WaitDelay = strings.NewReader(text), &out, &said, time.Second
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fault.Wrap(fmt.Errorf("%w: %.200s", err, said.b.String()), fault.Upstream, "the speech engine failed")
	}
	return out.b.Bytes(), nil
}

// limited is a buffer that fails when it has too much.
type limited struct{ b bytes.Buffer }

var errTooMuch = errors.New("too much output")

// Write adds to the buffer.
func (l *limited) Write(p []byte) (int, error) {
	if l.b.Len()+len(p) > mostSound {
		return 0, errTooMuch
	}
	return l.b.Write(p)
}

var _ io.Writer = (*limited)(nil)
