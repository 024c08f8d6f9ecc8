package server

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// direct reads and writes a connection by calls of the system that do not
// go through the runtime. A connection's calls never wait, but the runtime gets ready for one
// that does, each time: it wakes the thread that watches for that.
type direct struct {
	to    *net.TCPConn
	raw   syscall.RawConn
	in    transfer
	out   transfer
	read  func(uintptr) bool
	write func(uintptr) bool
}

// transfer is the result of a read or a write.
type transfer struct {
	bytes []byte
	flags uintptr
	n     int
	errno syscall.Errno
}

// mostDirect is how many bytes are read or written at once: the runtime waits for
// whoever is within such a call.
const mostDirect = 64 << 10

func newDirect(to *net.TCPConn) (*direct, error) {
	raw, err := to.SyscallConn()
	d := &direct{to: to, raw: raw}
	d.read = func(fd uintptr) bool { return d.in.call(syscall.SYS_RECVFROM, fd) }
	d.write = func(fd uintptr) bool { return d.out.call(syscall.SYS_SENDTO, fd) }
	return d, err
}

// call makes one call. It reports whether there is no need to wait.
func (t *transfer) call(trap, fd uintptr) bool {
	for {
		n, _, errno := syscall.RawSyscall6(trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(t.bytes))), uintptr(len(t.bytes)), t.flags, 0, 0)
		switch errno {
		case 0:
			t.n = int(n)
		case syscall.EINTR:
			continue
		case syscall.EAGAIN:
			return false
		}
		t.errno = errno
		return true
	}
}

// end lets go of what was transferred. The error is worded as the net package does.
func (t *transfer) end(d *direct, op string, err error) (int, error) {
	n, errno := t.n, t.errno
	*t = transfer{}
	if err == nil && errno != 0 {
		n, err = 0, &net.OpError{Op: op, Net: "tcp", Source: d.to.LocalAddr(), Addr: d.to.RemoteAddr(), Err: os.NewSyscallError(op, errno)}
	}
	return n, err
}

// Read serves io.Reader. One reads at a time.
func (d *direct) Read(p []byte) (int, error) {
	if len(p) == 0 || len(p) > mostDirect {
		return d.to.Read(p)
	}
	d.in.bytes = p
	n, err := d.in.end(d, "read", d.raw.Read(d.read))
	if n == 0 && err == nil {
		err = io.EOF
	}
	return n, err
}

// send writes. Where more follows at once it is sent with that. One writes at a time.
func (d *direct) send(p []byte, more bool) (sent int, err error) {
	if len(p) == 0 || len(p) > mostDirect {
		return d.to.Write(p)
	}
	for sent < len(p) && err == nil {
		var n int
		d.out.bytes = p[sent:]
		if more {
			d.out.flags = syscall.MSG_MORE
		}
		n, err = d.out.end(d, "write", d.raw.Write(d.write))
		sent += n
	}
	return sent, err
}
