package e2e

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waygate/waygate/outbox/outboxtest"
	"github.com/waygate/waygate/store/storetest"
)

// BenchmarkKeysSelf asks for the standing of a key over connections that stay
// open, with accounts in SQLite. Client and server share the machine. The goal
// is 5,000 a second.
func BenchmarkKeysSelf(b *testing.B) {
	g := start(b, accounts(storetest.SQLite(b), outboxtest.SMTP(b)), "serve", "--region", countyDir(b))
	key, _ := mint(b, g, 1_000_000, unlimitedRate)
	g.hammer(b, "GET /v1/keys/self HTTP/1.1\r\nHost: waygate.test\r\nAuthorization: Bearer "+key+"\r\n\r\n")
}

// BenchmarkOneUnit makes metered calls that need no map.
func BenchmarkOneUnit(b *testing.B) {
	g := start(b, accounts(storetest.SQLite(b), outboxtest.SMTP(b)), "serve", "--region", countyDir(b))
	key, _ := mint(b, g, 1_000_000_000, unlimitedRate)
	g.hammer(b, fmt.Sprintf("POST /adr/check HTTP/1.1\r\nHost: waygate.test\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s", key, len(oneUnit), oneUnit))
}

// hammer sends the same request again and again over 16 connections.
func (g *gateway) hammer(b *testing.B, request string) {
	b.Helper()
	var wrong atomic.Int64
	b.SetParallelism(8)
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
		if err != nil {
			b.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		for in := bufio.NewReader(conn); pb.Next(); {
			if _, err := io.WriteString(conn, request); err != nil {
				b.Error(err)
				return
			}
			answer, err := http.ReadResponse(in, nil)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, answer.Body)
			if answer.StatusCode != http.StatusOK {
				wrong.Add(1)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
	if n := wrong.Load(); n > 0 {
		b.Errorf("%d answers were not 200", n)
	}
}
