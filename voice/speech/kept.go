package speech

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/parallel"
)

// Of programs that have nothing to speak, so many are kept, and none for longer than this: each has a
// model in memory.
const (
	mostIdle = 4
	keptIdle = 10 * time.Minute
)

// programs are running programs, each with the model of a voice in memory, to be used again. The
// zero value has none. Its methods are safe for concurrent use.
type programs struct {
	mu     sync.Mutex
	idle   []*program // the last used at the end
	closed bool
}

// program is one that reads texts, a line each, from its standard input, writes the sound of each to
// a file in its folder and then prints the file's name. It is used by one call at a time.
type program struct {
	arguments string
	command   *exec.Cmd
	input     io.WriteCloser
	dir       string
	heard     *heard
	done      chan struct{} // closed once it has ended
	err       error         // of its end
	work      parallel.Group
	expiry    *time.Timer // ends it, while it is idle
}

// take takes an idle program with these arguments, nil if there is none.
func (p *programs) take(arguments string) *program {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, t := range slices.Backward(p.idle) {
		if t.arguments == arguments {
			p.idle = slices.Delete(p.idle, i, i+1)
			t.expiry.Stop()
			return t
		}
	}
	return nil
}

// put makes a program idle, and ends the one that was idle for longest where there are too many.
func (p *programs) put(t *program) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		t.end()
		return
	}
	p.idle = append(p.idle, t)
	t.expiry = time.AfterFunc(keptIdle, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if i := slices.Index(p.idle, t); i >= 0 {
			p.idle = slices.Delete(p.idle, i, i+1)
			t.end()
		}
	})
	if len(p.idle) > mostIdle {
		p.idle[0].end()
		p.idle = slices.Delete(p.idle, 0, 1)
	}
}

// close ends the idle programs; those that speak end after that.
func (p *programs) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	for _, t := range p.idle {
		t.end()
	}
	p.idle = nil
}

// speak has a program speak one line of text, and returns the file of sound. A program that fails is
// not used again; one that was running before this call may have been ended by others meanwhile, so
// that another one is started then, once. The arguments get --output_dir and a folder.
func (p *programs) speak(ctx context.Context, path string, arguments []string, text string) ([]byte, error) {
	key := strings.Join(arguments, "\x00")
	for t := p.take(key); t != nil; t = p.take(key) {
		sound, err := t.speak(ctx, text)
		if err == nil {
			p.put(t)
			return sound, nil
		}
		t.end()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	t, err := start(path, arguments)
	if err != nil {
		return nil, fault.Wrap(err, fault.Upstream, "the speech engine failed")
	}
	sound, err := t.speak(ctx, text)
	if err == nil {
		p.put(t)
		return sound, nil
	}
	t.end()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fault.Wrap(err, fault.Upstream, "the speech engine failed")
}

// start starts a program.
func start(path string, arguments []string) (*program, error) {
	dir, err := os.MkdirTemp("", "waygate-voice-*")
	if err != nil {
		return nil, err
	}
	t := &program{
		arguments: strings.Join(arguments, "\x00"), dir: dir, done: make(chan struct{}),
		command: exec.Command(path, append(slices.Clone(arguments), "--output_dir", dir)...), //nolint:gosec,noctx // the operator's program, which outlives the call
		heard:   &heard{dir: dir, files: make(chan string, 1)},
	}
	t.command.Stdout, t.command.Stderr, t.command.WaitDelay = t.heard, t.heard, time.Second
	if t.input, err = t.command.StdinPipe(); err == nil {
		err = t.command.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	t.work.Go(func() {
		t.err = t.command.Wait()
		_ = os.RemoveAll(dir) // of what nobody waits for
		close(t.done)
	})
	return t, nil
}

// end ends the program at once. It may be called more than once.
func (t *program) end() {
	_ = t.input.Close()
	_ = t.command.Process.Kill() // fails where it has ended
}

// speak has the program speak.
func (t *program) speak(ctx context.Context, text string) ([]byte, error) {
	select {
	case <-t.heard.files: // of a line that nobody asked for
	default:
	}
	if _, err := io.WriteString(t.input, text+"\n"); err != nil {
		return nil, err
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-t.done:
		return nil, fmt.Errorf("the program ended: %w: %.200s", t.err, t.heard.last())
	case file := <-t.heard.files:
		return t.sound(ctx, file)
	}
}

// sound reads a file of sound and removes it. Some builds of piper print its name before the last
// of it is written.
func (t *program) sound(ctx context.Context, file string) ([]byte, error) {
	name := filepath.Join(t.dir, filepath.Base(file))
	for {
		sound, err := read(name)
		if err != nil {
			return nil, err
		}
		if whole(sound) {
			return sound, os.Remove(name)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-t.done:
			return nil, errors.New("the program ended before its file was whole")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// read reads a file of as many bytes as an engine may answer.
func read(name string) (_ []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	sound, err := io.ReadAll(io.LimitReader(f, mostSound+1))
	if err == nil && len(sound) > mostSound {
		err = errTooMuch
	}
	return sound, err
}

// whole reports whether a RIFF file has as many bytes as its head says.
func whole(sound []byte) bool {
	return len(sound) >= 44 && uint64(len(sound)) >= 8+uint64(binary.LittleEndian.Uint32(sound[4:]))
}

// heard reads what a program prints, and finds the names of files in a folder in it.
type heard struct {
	dir   string
	files chan string
	mu    sync.Mutex
	line  []byte // that has no end yet
	said  []byte // the last line without a name
}

// mostLine bounds a line that is remembered.
const mostLine = 4096

// Write takes a part of the output.
func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range p {
		if c != '\n' {
			if len(h.line) < mostLine {
				h.line = append(h.line, c)
			}
			continue
		}
		line := bytes.TrimSpace(h.line)
		if at := bytes.LastIndex(line, []byte(h.dir)); at >= 0 && bytes.HasSuffix(line, []byte(".wav")) {
			select {
			case h.files <- string(line[at:]):
			default:
			}
		} else if len(line) > 0 {
			h.said = append(h.said[:0], line...)
		}
		h.line = h.line[:0]
	}
	return len(p), nil
}

// last returns the last line that the program wrote.
func (h *heard) last() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return string(h.said)
}
