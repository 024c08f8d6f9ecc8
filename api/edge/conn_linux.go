package edge

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// direct reads and writes a connection by calls of the system that the runtime is
// not told of. A connection's calls never wait, but the runtime gets ready for one
// that does, each time: it wakes the thread that watches for that.
type direct struct {
	to   *net.TCPConn
	raw  syscall.RawConn
	in   transfer
	out  transfer
	read func(uintptr) bool
	send func(uintptr) bool
}

// transfer is what is read or written.
type transfer struct {
	bytes []byte
	n     int
	errno syscall.Errno
}

// mostDirect is how many bytes are read or written at once: the runtime waits for
// whoever is within such a call.
const mostDirect = 64 << 10

func newDirect(to *net.TCPConn) (*direct, error) {
	raw, err := to.SyscallConn()
	d := &direct{to: to, raw: raw}
	d.read = func(fd uintptr) bool { return d.in.call(syscall.SYS_READ, fd) }
	d.send = func(fd uintptr) bool { return d.out.call(syscall.SYS_WRITE, fd) }
	return d, err
}

// call makes one call. It reports whether there is no need to wait.
func (t *transfer) call(trap, fd uintptr) bool {
	for {
		n, _, errno := syscall.RawSyscall(trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(t.bytes))), uintptr(len(t.bytes)))
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

// Write serves io.Writer. One writes at a time.
func (d *direct) Write(p []byte) (sent int, err error) {
	if len(p) == 0 || len(p) > mostDirect {
		return d.to.Write(p)
	}
	for sent < len(p) && err == nil {
		var n int
		d.out.bytes = p[sent:]
		n, err = d.out.end(d, "write", d.raw.Write(d.send))
		sent += n
	}
	return sent, err
}
