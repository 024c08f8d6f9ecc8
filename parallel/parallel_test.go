package parallel

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// thrown gives what f panics with, nil where it does not.
func thrown(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestGroupAtOnce(t *testing.T) {
	var g Group
	ended := make([]bool, 3)
	release := make(chan struct{})
	for i := range ended {
		g.Go(func() {
			if i == 1 {
				defer close(release)
				panicsByIndex(nil)
			}
			<-release
			ended[i] = true
		})
	}
	v := thrown(g.Wait)
	p, ok := v.(*Panic)
	if !ok {
		t.Fatalf("Wait panicked with %v", v)
	}
	if !ended[0] || !ended[2] {
		t.Error("Wait did not wait for the others")
	}
	var bounds runtime.Error
	if !errors.As(p, &bounds) || !strings.Contains(p.Error(), "index out of range") || !strings.Contains(string(p.Stack), "panicsByIndex") {
		t.Errorf("%v at\n%s", p, p.Stack)
	}
	if _, is := p.Fault(); is {
		t.Error("an index out of range counts as a fault of memory")
	}
	// Handed on by another goroutine it is the same, with the first stack.
	var outer Group
	outer.Go(func() { panic(p) })
	if again := thrown(outer.Wait); again != any(p) {
		t.Errorf("handed on it is %v", again)
	}
	var calm Group
	calm.Go(func() {})
	if v := thrown(calm.Wait); v != nil {
		t.Error(v)
	}
}

//go:noinline
func panicsByIndex(list []int) int { return list[len(os.Args)] }

func TestGo(t *testing.T) {
	heard := make(chan *Panic)
	Go(func() { panic("boo") }, func(p *Panic) { heard <- p })
	if p := <-heard; p.Value != "boo" || p.Unwrap() != nil {
		t.Errorf("%+v", p)
	}
}

// TestFault reads a mapped file that was cut short, on each kind of goroutine.
func TestFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mapped")
	if err := os.WriteFile(path, make([]byte, 3*os.Getpagesize()), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := syscall.Mmap(int(f.Fd()), 0, 3*os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err := errors.Join(err, f.Close(), os.Truncate(path, 1)); err != nil {
		t.Fatal(err)
	}
	at := 2*os.Getpagesize() + 8
	want := uintptr(unsafe.Pointer(&data[at]))
	check := func(err error) {
		t.Helper()
		var p *Panic
		if !errors.As(err, &p) {
			t.Fatal(err)
		}
		if got, ok := p.Fault(); !ok || got != want {
			t.Errorf("the fault is at %x, %v; want %x", got, ok, want)
		}
	}
	read := func() {
		if data[at] != 0 {
			t.Error("there is something")
		}
	}
	check(Try(func() error { read(); return nil }))
	var g Group
	g.Go(read)
	check(thrown(g.Wait).(error))
	heard := make(chan *Panic)
	Go(read, func(p *Panic) { heard <- p })
	check(<-heard)
	if err := syscall.Munmap(data); err != nil {
		t.Error(err)
	}
}
