package outbox

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/waygate/waygate/internet"
	"github.com/waygate/waygate/store"
	"github.com/waygate/waygate/store/storetest"
)

// target returns a port of this machine that callers look for. It counts who
// connects.
func target(t *testing.T) (port string, connected *atomic.Int64) {
	t.Helper()
	connected = new(atomic.Int64)
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connected.Add(1)
			_ = c.Close()
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port, connected
}

// names returns a name server that answers every question for an IPv4 address with
// the next of these, the last for ever.
func names(t *testing.T, answers ...string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	go func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			if n < 12 {
				continue
			}
			end := 12 // of the question's name, behind the header
			for end < n && packet[end] != 0 {
				end += int(packet[end]) + 1
			}
			if end+5 > n {
				continue
			}
			// A response to the same id and question, with no other sections yet.
			answer := append([]byte{packet[0], packet[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, packet[12:end+5]...)
			if packet[end+2] == 1 { // type A
				a := netip.MustParseAddr(answers[0]).As4()
				answers = answers[min(1, len(answers)-1):]
				answer[7] = 1
				answer = append(answer, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, a[0], a[1], a[2], a[3])
			}
			if _, err := conn.WriteTo(answer, from); err != nil {
				return
			}
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", conn.LocalAddr().String())
	}}
}

func openHere(t *testing.T, o Options) *Outbox {
	t.Helper()
	o.DB, o.Log = storetest.Open(t, storetest.SQLite(t)), slog.New(slog.DiscardHandler)
	box, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return box
}

// The addresses that callers write to reach this machine. Names and odd numbers are looked up
// by a name server that says 127.0.0.1 to all.
func TestNoWayIn(t *testing.T) {
	port, connected := target(t)
	guarded, open := openHere(t, Options{}), openHere(t, Options{Private: true})
	for _, b := range []*Outbox{guarded, open} {
		b.dialer.Resolver = names(t, "127.0.0.1")
	}
	hosts := []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.0.0.1", "0177.0.0.1", "017700000001",
		"127.000.000.001", "0", "0.0.0.0", "localhost", "localhost.", "LOCALHOST", "evil.example", "evil.example.",
		"127.0.0.1.nip.example", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[0:0:0:0:0:ffff:127.0.0.1]",
		"[::127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[fe80::1%25lo]", "[::1%25lo]", "①②⑦.⓪.⓪.①",
	}
	requests := make([]*http.Request, len(hosts))
	for i, host := range hosts {
		var err error
		if requests[i], err = http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+host+":"+port+"/", strings.NewReader("{}")); err != nil {
			t.Fatalf("%s: %v", host, err)
		}
	}
	// All with the guard come first: who gives up without it may be connected a while after.
	for i, host := range hosts {
		if answer, err := guarded.client.Do(requests[i]); err == nil {
			answer.Body.Close()
			t.Errorf("%s: answered", host)
		} else if failure := (*refusal)(nil); !errors.As(unsent(err, time.Second), &failure) || !failure.final {
			t.Logf("%s: %v", host, err) // no such host is fine as well
		}
		if connected.Load() > 0 {
			t.Fatalf("%s: connected", host)
		}
	}
	// The same without the guard, to see which of them lead here at all.
	reached := 0
	for _, request := range requests {
		before := connected.Load()
		soon, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		if answer, err := open.client.Do(request.Clone(soon)); err == nil {
			answer.Body.Close()
		}
		cancel()
		if connected.Load() != before {
			reached++
		}
	}
	if reached < 10 {
		t.Errorf("only %d of the ways lead here without the guard", reached)
	}
}

// A name that was public when it was looked at, and is not when it is called.
func TestRebinding(t *testing.T) {
	port, connected := target(t)
	box := openHere(t, Options{})
	box.dialer.Resolver = names(t, "93.184.216.34", "127.0.0.1")
	w := Webhook{URL: "https://rebind.example:" + port + "/", Secret: NewSecret(), Type: "job.failed"}
	if found, err := box.dialer.Resolver.LookupNetIP(t.Context(), "ip4", "rebind.example"); err != nil || len(found) != 1 || !internet.Public(found[0]) {
		t.Fatalf("%v %v", found, err)
	}
	if err := box.options.DB.Tx(t.Context(), func(tx *store.Tx) error { return box.Webhook(t.Context(), tx, w) }); err != nil {
		t.Fatal(err)
	}
	if err := box.Deliver(t.Context()); err != nil {
		t.Fatal(err)
	}
	waiting, failed, err := box.Backlog(t.Context())
	if err != nil || waiting != 0 || failed != 1 || connected.Load() != 0 {
		t.Errorf("%d waiting, %d failed, %d connected, %v", waiting, failed, connected.Load(), err)
	}
}

// Variables that other programs take a proxy from do not lead webhooks there.
func TestNoProxy(t *testing.T) {
	port, connected := target(t)
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	box := openHere(t, Options{Private: true})
	closed, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, nobody, _ := net.SplitHostPort(closed.Addr().String())
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	box.dialer.Resolver = names(t, "127.0.0.1")
	for _, scheme := range []string{"http", "https"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, scheme+"://hooks.example:"+nobody, nil)
		if err != nil {
			t.Fatal(err)
		}
		if answer, err := box.client.Do(request); err == nil {
			answer.Body.Close()
			t.Error("somebody answered")
		}
	}
	if connected.Load() != 0 {
		t.Error("the proxy was asked")
	}
}

func TestPermits(t *testing.T) {
	box := openHere(t, Options{})
	for text := range strings.FieldsSeq(`https://localhost/ https://LOCALHOST./ https://a.localhost/ https://127.0.0.1/ https://127.0.0.1./ https://[::1]/
		https://[::ffff:127.0.0.1]/ https://10.0.0.1:8443/ https://169.254.169.254/latest https://[fe80::1%25eth0]/ https://0.0.0.0/`) {
		if box.Permits(text) == nil {
			t.Errorf("%s is permitted", text)
		}
	}
	for text := range strings.FieldsSeq(`https://hooks.example.org https://8.8.8.8/ https://[2606:4700:4700::1111]:8443/in https://bücher.example/`) {
		if err := box.Permits(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestPermitsOnlyPublic(t *testing.T) {
	box := openHere(t, Options{})
	for address, ok := range map[string]bool{
		"https://example.org":                          true,
		"https://example.org:8443/a/b?c=d":             true,
		"https://bücher.example/":                      true,
		"https://93.184.216.34/":                       true,
		"https://[2606:2800:220:1:248:1893:25c8:1946]": true,

		"":                                                 false,
		"example.org":                                      false,
		"//example.org":                                    false,
		"http://example.org":                               false,
		"HTTPS//example.org":                               false,
		"ftp://example.org":                                false,
		"https:example.org":                                false,
		"https://":                                         false,
		"https://:443/":                                    false,
		"https://user:pw@example.org/":                     false,
		"https://example.org/#x":                           false,
		"https://example.org/#":                            false,
		"https://example.org:0/":                           false,
		"https://example.org:65536/":                       false,
		"https://example.org:x/":                           false,
		"https://example.org/\r\nX: y":                     false,
		"https://example.org/a b":                          false,
		`https://example.org\@10.0.0.1/`:                   false,
		"https://localhost/":                               false,
		"https://LOCALHOST./":                              false,
		"https://a.localhost/":                             false,
		"https://db/":                                      false,
		"https://printer.local/":                           false,
		"https://x.internal/":                              false,
		"https://127.0.0.1/":                               false,
		"https://127.1/":                                   false,
		"https://2130706433/":                              false,
		"https://0x7f.0.0.1/":                              false,
		"https://0x7f000001/":                              false,
		"https://1.0x7f/":                                  false,
		"https://10.1.2.3/":                                false,
		"https://169.254.169.254/":                         false,
		"https://192.168.0.1/":                             false,
		"https://0.0.0.0/":                                 false,
		"https://[::1]/":                                   false,
		"https://[::ffff:10.0.0.1]/":                       false,
		"https://[fe80::1%25eth0]/":                        false,
		"https://[fd00::1]/":                               false,
		"https://100.64.0.1/":                              false,
		"https://168.63.129.16/":                           false,
		"https://[64:ff9b::a00:1]/":                        false,
		"https://[2002:a00:1::]/":                          false,
		"https://203.0.113.9/":                             false,
		"https://metadata.google.internal":                 false,
		"https://example.org/" + strings.Repeat("a", 2048): false,
	} {
		if err := box.Permits(address); (err == nil) != ok {
			t.Errorf("%.80q: %v", address, err)
		}
	}
}

func TestPermitsPrivate(t *testing.T) {
	box := openHere(t, Options{Private: true})
	for address, ok := range map[string]bool{
		"http://127.0.0.1:8081/hook": true,
		"http://hooks.internal/":     true,
		"https://db/":                true,
		"https://example.org/":       true,

		"ftp://127.0.0.1/":      false,
		"http://:80/":           false,
		"http://u:p@127.0.0.1/": false,
		"http://127.0.0.1:0/":   false,
		"http://127.0.0.1/#x":   false,
		"127.0.0.1":             false,
	} {
		if err := box.Permits(address); (err == nil) != ok {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, text := range []string{"", "120", "-1", "99999999999999999999", "9223372036854775807", "Fri, 20 Nov 2026 10:00:00 GMT", "soon", "1.5"} {
		f.Add(text)
	}
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string) {
		if d := retryAfter(text, now); d < 0 || d > longestWait {
			t.Errorf("%q: %s", text, d)
		}
	})
}

// A relay's address is read without a crash, and its password shows in no
// failure.
func FuzzRelayAddress(f *testing.F) {
	for _, text := range []string{"smtp://u:hunter2secret@h:25?tls=none", "smtps://h", "smtp://u:hunter2secret@[::1", "smtp://u:hunter2secret%zz@h", "://"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r, err := newRelay(text, "a@example.com", nil)
		if err != nil && strings.Contains(text, "hunter2secret") && strings.Contains(err.Error(), "hunter2secret") {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil && (r.host == "" || r.port < 1 || r.port > 65535) {
			t.Errorf("%q: %s %d", text, r.host, r.port)
		}
	})
}
