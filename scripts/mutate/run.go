package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// tested is a package with tests, what can be planted in it, and what came of it.
type tested struct {
	folder, path, dir      string
	faults                 []fault
	quota, planted, caught int
	survivors              []fault
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %s", name, strings.Join(args, " "), exit.Stderr)
	}
	return string(out), err
}

// since returns the folders in which Go files that are no tests changed.
func since(ctx context.Context, when string) (map[string]bool, error) {
	args := []string{"log", "--format=", "--name-only", "--since=" + when}
	if _, err := output(ctx, "git", "rev-parse", "--verify", "--quiet", when+"^{commit}"); err == nil {
		args = []string{"diff", "--name-only", when}
	}
	out, err := output(ctx, "git", append(args, "--", "*.go", ":!*_test.go")...)
	folders := map[string]bool{}
	for file := range strings.Lines(out) {
		folders[path.Dir(strings.TrimSpace(file))] = true
	}
	return folders, err
}

// packages lists those that have tests and are not for tests.
func packages(ctx context.Context, root string, patterns []string) ([]*tested, error) {
	out, err := output(ctx, "go", append([]string{"list", "-json=Dir,ImportPath,GoFiles,TestGoFiles,XTestGoFiles"}, patterns...)...)
	if err != nil {
		return nil, err
	}
	var all []*tested
	for d := json.NewDecoder(strings.NewReader(out)); ; {
		var p struct {
			Dir, ImportPath                    string
			GoFiles, TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || strings.HasSuffix(p.ImportPath, "test") {
			continue
		}
		folder, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		t := &tested{folder: filepath.ToSlash(folder), path: p.ImportPath, dir: p.Dir}
		for _, file := range p.GoFiles {
			full := filepath.Join(p.Dir, file)
			source, err := os.ReadFile(full)
			if err != nil {
				return nil, err
			}
			found, err := faults(full, path.Join(t.folder, file), source)
			if err != nil {
				return nil, err
			}
			t.faults = append(t.faults, found...)
		}
		all = append(all, t)
	}
}

// runner compiles and runs tests in a folder of its own.
type runner struct {
	out     *log.Logger
	dir     string
	slowest time.Duration
}

// try plants faults in a package until as many as it is to have compiled. Its tests as
// they stand say how long they take, and that they pass.
func (r runner) try(ctx context.Context, p *tested) {
	if err := r.compile(ctx, p, nil); err != nil {
		r.out.Printf("left out %s: %v", p.folder, err)
		return
	}
	took, err := r.test(ctx, p, 2*r.slowest)
	if err == nil && took > r.slowest {
		err = fmt.Errorf("its tests take %s", took.Round(time.Second))
	}
	if err != nil {
		r.out.Printf("left out %s: %v", p.folder, err)
		return
	}
	for _, f := range p.faults {
		if p.planted == p.quota || ctx.Err() != nil {
			return
		}
		if r.compile(ctx, p, &f) != nil {
			continue
		}
		_, err := r.test(ctx, p, 4*took+10*time.Second)
		if ctx.Err() != nil {
			return
		}
		p.planted++
		outcome := "caught"
		switch {
		case err == nil:
			outcome = survivor
			p.survivors = append(p.survivors, f)
		case errors.Is(err, context.DeadlineExceeded):
			outcome = "hung"
		}
		if err != nil {
			p.caught++
		}
		r.out.Printf("%-8s %s", outcome, f)
	}
}

// compile makes the program of a package's tests, with a fault in it or without.
func (r runner) compile(ctx context.Context, p *tested, f *fault) error {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	if f != nil {
		changed := filepath.Join(r.dir, "changed.go")
		overlay.Replace[f.path] = changed
		if err := os.WriteFile(changed, f.apply(), 0o644); err != nil {
			return err
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	list := filepath.Join(r.dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o644); err != nil {
		return err
	}
	_, err = output(ctx, "go", "test", "-c", "-p", "1", "-vet=off", "-overlay", list, "-o", filepath.Join(r.dir, "tests"), p.path)
	return err
}

// test runs the tests until the first that fails, at most for a time. What they started
// and did not end is ended with them.
func (r runner) test(ctx context.Context, p *tested, most time.Duration) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	c := exec.CommandContext(ctx, filepath.Join(r.dir, "tests"), "-test.failfast")
	c.Dir = p.dir
	c.Env = append(os.Environ(), "RAPID_NOFAILFILE=true") // which would lie in the working tree
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	end := func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	c.Cancel = end
	c.WaitDelay = time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	began := time.Now()
	err := c.Run()
	took := time.Since(began)
	if c.Process != nil {
		_ = end()
	}
	if ctx.Err() != nil {
		return took, ctx.Err()
	}
	if errors.Is(err, exec.ErrWaitDelay) { // a process that it left behind held its output
		err = nil
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out.Bytes()[max(0, out.Len()-2000):])
	}
	return took, err
}
