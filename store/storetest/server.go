package storetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/waittest"
)

// server is a process that tests talk to.
type server struct {
	address string
	dir     string
	missing string // why there is none on this machine
	err     error
	cmd     *exec.Cmd
	ended   chan ending
	again   func() // starts it on the same port, after it has ended
}

func (s *server) need(t testing.TB) {
	t.Helper()
	if s.missing != "" {
		t.Skip(s.missing)
	}
	if s.err != nil {
		t.Fatal(s.err)
	}
}

// ending is how a process ended.
type ending struct{ err error }

// quit has PostgreSQL stop at once with all its processes, which a kill would
// leave behind; Redis just ends.
const quit = syscall.SIGQUIT

var postgresServer, redisServer *server

var postgres = sync.OnceValue(func() *server {
	postgresServer = startPostgres()
	return postgresServer
})

var redis = sync.OnceValue(func() *server {
	redisServer = startRedis()
	return redisServer
})

func startPostgres() *server {
	if address := os.Getenv("WAYGATE_POSTGRES"); address != "" {
		return &server{address: address}
	}
	initdb, ok := exists("/usr/lib/postgresql/*/bin/initdb")
	if !ok {
		return &server{missing: "PostgreSQL is not installed (Debian package postgresql)"}
	}
	s := &server{}
	var attr syscall.SysProcAttr
	if os.Getuid() == 0 {
		// PostgreSQL refuses to run as root.
		owner, err := user.Lookup("postgres")
		if err != nil {
			return &server{missing: "no user postgres to run PostgreSQL as: " + err.Error()}
		}
		uid, err := strconv.Atoi(owner.Uid)
		gid, err2 := strconv.Atoi(owner.Gid)
		if s.err = errors.Join(err, err2); s.err != nil {
			return s
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)} //nolint:gosec // ids of the system fit
	}
	port, err := s.prepare("postgres", attr.Credential)
	if err != nil {
		s.err = err
		return s
	}
	data := filepath.Join(s.dir, "data")
	make := exec.CommandContext(context.Background(), initdb, "-D", data, "-U", "test", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
	make.SysProcAttr, make.Dir = &attr, s.dir
	if out, err := make.CombinedOutput(); err != nil {
		s.err = fmt.Errorf("initdb: %w\n%s", err, out)
		return s
	}
	s.address = fmt.Sprintf("postgres://test@127.0.0.1:%d", port)
	s.start(attr, port, filepath.Join(filepath.Dir(initdb), "postgres"), "-D", data, "-p", strconv.Itoa(port),
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off", "-c", "max_connections=300")
	if s.err == nil {
		s.err = s.accepts()
	}
	return s
}

// accepts waits until PostgreSQL, which listens before it is ready, lets
// clients in.
func (s *server) accepts() error {
	for deadline := time.Now().Add(waittest.Patience); ; time.Sleep(20 * time.Millisecond) {
		db, err := store.Open(context.Background(), s.address+"/postgres?sslmode=disable", store.Options{})
		if err == nil {
			return db.Close()
		}
		if time.Now().After(deadline) {
			return err
		}
	}
}

func startRedis() *server {
	program, err := exec.LookPath("redis-server")
	if err != nil {
		return &server{missing: "Redis is not installed (Debian package redis-server)"}
	}
	s := &server{}
	port, err := s.prepare("redis", nil)
	if err != nil {
		s.err = err
		return s
	}
	s.address = fmt.Sprintf("redis://127.0.0.1:%d/0", port)
	s.again = func() {
		s.start(syscall.SysProcAttr{}, port, program, "--port", strconv.Itoa(port), "--bind", "127.0.0.1", "--save", "", "--dir", s.dir)
	}
	s.again()
	return s
}

// prepare makes a folder that owner may write to and finds a free port.
func (s *server) prepare(name string, owner *syscall.Credential) (port int, err error) {
	if s.dir, err = os.MkdirTemp("", "waygate-"+name+"-"); err != nil {
		return 0, err
	}
	if owner != nil {
		if err := os.Chown(s.dir, int(owner.Uid), int(owner.Gid)); err != nil {
			return 0, err
		}
	}
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// start runs the program until stop, or until the test binary dies, and waits
// for its port.
func (s *server) start(attr syscall.SysProcAttr, port int, program string, args ...string) {
	attr.Pdeathsig = quit
	s.cmd, s.ended = exec.CommandContext(context.Background(), program, args...), make(chan ending, 1)
	s.cmd.SysProcAttr, s.cmd.Dir = &attr, s.dir
	said, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		s.err = err
		return
	}
	s.cmd.Stdout, s.cmd.Stderr = said, said
	started := make(chan error)
	go func() {
		// The death signal comes when the thread that started the process ends.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := s.cmd.Start()
		started <- err
		if err == nil {
			s.ended <- ending{s.cmd.Wait()}
		}
	}()
	if s.err = <-started; s.err != nil {
		return
	}
	s.err = errors.Join(s.answers(port), said.Close())
}

func (s *server) answers(port int) error {
	address := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
	for deadline := time.Now().Add(waittest.Patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if c, err := new(net.Dialer).DialContext(context.Background(), "tcp", address); err == nil {
			return c.Close()
		}
		select {
		case how := <-s.ended:
			said, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			s.ended <- how
			return fmt.Errorf("%s ended: %w\n%s", s.cmd.Path, how.err, said)
		default:
		}
	}
	return fmt.Errorf("%s does not listen on %s", s.cmd.Path, address)
}

func stop(s *server) error {
	if s == nil {
		return nil
	}
	var err error
	if s.cmd != nil && s.cmd.Process != nil {
		// The data goes with the folder: there is nothing to close in order, and
		// how the process ends says nothing.
		if err = s.cmd.Process.Signal(quit); errors.Is(err, os.ErrProcessDone) {
			err = nil
		}
		<-s.ended
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}
