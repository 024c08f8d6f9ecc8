package upstream

import (
	"net"
	"syscall"
	"testing"
)

// TestAnswersAreAcknowledgedAtOnce has a connection exchange words with a server: it acknowledges
// at once after every one that it sends, which a plain one no longer does.
func TestAnswersAreAcknowledgedAtOnce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan struct{})
	go func() {
		defer close(served)
		for range 2 {
			c, err := l.Accept()
			if err != nil {
				return
			}
			word := make([]byte, 4)
			for {
				if _, err := c.Read(word); err != nil {
					break
				}
				if _, err := c.Write(word); err != nil {
					break
				}
			}
			_ = c.Close()
		}
	}()
	plain := (&net.Dialer{}).DialContext
	for name, dial := range map[string]func() (net.Conn, error){
		"plain":  func() (net.Conn, error) { return plain(t.Context(), "tcp", l.Addr().String()) },
		"prompt": func() (net.Conn, error) { return promptly(plain)(t.Context(), "tcp", l.Addr().String()) },
	} {
		c, err := dial()
		if err != nil {
			t.Fatal(err)
		}
		word := []byte("word")
		for range 5 {
			if _, err := c.Write(word); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Read(word); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.Write(word); err != nil {
			t.Fatal(err)
		}
		raw, err := c.(syscall.Conn).SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		at := -1
		if err := raw.Control(func(fd uintptr) { at, err = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK) }); err != nil {
			t.Fatal(err)
		}
		if want := map[string]int{"plain": 0, "prompt": 1}[name]; at != want {
			t.Errorf("a %s connection acknowledges at once: %d, want %d", name, at, want)
		}
		_ = c.Close()
	}
	_ = l.Close()
	<-served
}
