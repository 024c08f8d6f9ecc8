//go:build unix && !aix

package upstream

import (
	"errors"
	"net"
	"syscall"
)

// peeks reports whether quiet can say what has come over a connection.
const peeks = true

// quiet reports whether nothing has come over a connection that idles: neither its end nor what
// nobody has asked for.
func quiet(c net.Conn) bool {
	s, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := s.SyscallConn()
	if err != nil {
		return false
	}
	idle := false
	err = raw.Read(func(fd uintptr) bool {
		var b [1]byte
		_, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
		idle = errors.Is(err, syscall.EAGAIN)
		return true
	})
	return idle && err == nil
}
