package blob

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/waittest"
)

// gateway starts versitygw, a server of S3 over a folder that checks signatures, on
// a folder with one bucket. Its program is looked for on the path and in
// $WAYGATE_VERSITYGW.
func gateway(t *testing.T) (address string) {
	t.Helper()
	program := os.Getenv("WAYGATE_VERSITYGW")
	if program == "" {
		program = "versitygw"
	}
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip("no versitygw here: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0, or name the program in WAYGATE_VERSITYGW")
	}
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "maps"), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	// Its bookkeeping is in files beside, for file systems without attributes.
	cmd := exec.CommandContext(ctx, path, "--port", address, "--access", "user", "--secret", "password", "posix", "--sidecar", t.TempDir(), dir)
	var log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stop(); _ = cmd.Wait() })
	for deadline := time.Now().Add(waittest.Patience); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := http.DefaultClient.Do(r); err == nil {
			_ = answer.Body.Close()
			t.Setenv(endpointVariable, "http://"+address)
			t.Setenv(regionVariable, "us-east-1")
			t.Setenv("AWS_ACCESS_KEY_ID", "user")
			t.Setenv("AWS_SECRET_ACCESS_KEY", "password")
			return address
		}
	}
	t.Fatalf("versitygw does not answer:\n%s", log.String())
	return ""
}

func TestBucket(t *testing.T) {
	address := gateway(t)
	s, err := Open("s3://maps/deep/pre+fix")
	if err != nil {
		t.Fatal(err)
	}
	conforms(t, s)
	creates(t, s)
	createdOnce(t, s)
	large := bytes.Repeat([]byte("0123456789abcdef"), 2<<20) // goes in parts
	if err := s.Write(t.Context(), "large", bytes.NewReader(large), int64(len(large))); err != nil {
		t.Fatal(err)
	}
	if got := part(t, s, "large", Span{int64(len(large)) - 6, 6, ""}); got != "abcdef" {
		t.Errorf("the end of a large file is %q", got)
	}
	for _, key := range []string{"deep/pre+fix/plus+and=equals&ampersand", "deep/pre+fix/with space", "deep/pre+fix/per%cent"} {
		from, name, err := OpenFile("s3://maps/" + key)
		if err != nil {
			t.Fatal(err)
		}
		if info, err := from.Stat(t.Context(), name); err != nil || info.Size < 1000 {
			t.Errorf("%s: %+v, %v", key, info, err)
		}
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "wrong")
	wrong, err := Open("s3://maps")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.Stat(t.Context(), "deep/pre+fix/plain"); err == nil || errors.Is(err, ErrNotFound) {
		t.Errorf("a wrong key: %v", err)
	}
	t.Setenv("AWS_SECRET_ACCESS_KEY", "password")
	absent, err := Open("s3://nowhere")
	if err != nil {
		t.Fatal(err)
	}
	if err := absent.Write(t.Context(), "x", strings.NewReader("x"), 1); err == nil {
		t.Error("a bucket that is not there takes files")
	}
	t.Setenv(endpointVariable, strings.Replace("http://"+address, "http", "ftp", 1))
	if _, err := Open("s3://maps"); err == nil {
		t.Error("an endpoint of another scheme is taken")
	}
}
