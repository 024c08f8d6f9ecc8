package feed

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
)

// No secret of a feed's settings follows a redirect or a link to another host, whichever setting
// it stands in. The other host is below the feed's own, to which net/http would send on
// what it takes for credentials.
func TestSecretsStayAtHome(t *testing.T) {
	const secret, token, other = "s3cret", "http://feeds.example/token", "http://files.feeds.example/"
	for name, c := range map[string]struct {
		give   func(s *Source) // gives the feed the secret
		asks   string          // path of the request that has it, and that is redirected
		status int             // of the redirect; 0 where a document links to the other host
		port   string          // of the feed's own host in place of the other host
	}{
		"a header":                      {func(s *Source) { s.Headers = map[string]string{"x-api-key": secret} }, "/feed", http.StatusFound, ""},
		"a header, by a link":           {func(s *Source) { s.Headers = map[string]string{"x-api-key": secret} }, "/feed", 0, ""},
		"a token, by a link":            {func(s *Source) { s.OAuth = &OAuth{TokenURL: token, ClientID: "c", ClientSecret: "other"} }, "/feed", 0, ""},
		"an Authorization header":       {func(s *Source) { s.Headers = map[string]string{"Authorization": secret} }, "/feed", http.StatusFound, ""},
		"a cookie":                      {func(s *Source) { s.Headers = map[string]string{"Cookie": "a=" + secret} }, "/feed", http.StatusPermanentRedirect, ""},
		"a query":                       {func(s *Source) { s.URL += "?key=" + secret }, "/feed", http.StatusFound, ""},
		"a password":                    {func(s *Source) { s.URL = strings.Replace(s.URL, "://", "://user:"+secret+"@", 1) }, "/feed", http.StatusFound, ""},
		"a token":                       {func(s *Source) { s.OAuth = &OAuth{TokenURL: token, ClientID: "c", ClientSecret: "other"} }, "/feed", http.StatusFound, ""},
		"the secret of a token":         {func(s *Source) { s.OAuth = &OAuth{TokenURL: token, ClientID: "c", ClientSecret: secret} }, "/token", http.StatusTemporaryRedirect, ""},
		"the secret of a token, as GET": {func(s *Source) { s.OAuth = &OAuth{TokenURL: token, ClientID: "c", ClientSecret: secret} }, "/token", http.StatusFound, ""},
		"a header, to another port":     {func(s *Source) { s.Headers = map[string]string{"x-api-key": secret} }, "/feed", http.StatusFound, ":8080"},
		"a token's secret, likewise":    {func(s *Source) { s.OAuth = &OAuth{TokenURL: token, ClientID: "c", ClientSecret: secret} }, "/token", http.StatusTemporaryRedirect, ":8080"},
	} {
		t.Run(name, func(t *testing.T) {
			var home, away []string // what was asked there
			other := other
			if c.port != "" {
				other = "http://feeds.example" + c.port + "/"
			}
			b := polled(t, "", nil)
			b.answer = func(w http.ResponseWriter, r *http.Request) {
				dump, err := httputil.DumpRequest(r, true)
				if err != nil {
					t.Error(err)
				}
				_, password, _ := r.BasicAuth()
				asked := string(dump) + password
				if r.Host != "feeds.example" {
					away = append(away, asked)
					_, _ = w.Write([]byte(`[1]`))
					return
				}
				if r.URL.Path == c.asks {
					home = append(home, asked)
					if c.status != 0 {
						http.Redirect(w, r, other, c.status)
						return
					}
					_, _ = w.Write([]byte(`{"values":[1],"next":"` + other + `"}`))
					return
				}
				_, _ = w.Write([]byte(`{"access_token":"` + secret + `","expires_in":3600}`))
			}
			s := Source{ID: "numbers", Kind: "number", URL: "http://feeds.example/feed"}
			c.give(&s)
			f, err := New(Options{}, s, reading())
			if err != nil {
				t.Fatal(err)
			}
			way := f.fetcher.client.Transport.(*http.Transport)
			way.Proxy = nil
			way.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) { // all names are the server's
				return (&net.Dialer{}).DialContext(ctx, network, b.server.Listener.Addr().String())
			}
			err = f.Poll(t.Context())
			if len(home) != 1 || !strings.Contains(home[0], secret) {
				t.Errorf("The feed's own host was asked without the secret: %q", home)
			}
			if c.asks == "/feed" && (err != nil || len(away) != 1) {
				t.Errorf("The other host was not asked: %v, %q", err, away)
			}
			if strings.Contains(strings.Join(away, ""), secret) {
				t.Errorf("The other host was sent the secret: %q", away)
			}
		})
	}
}

func TestSameServer(t *testing.T) {
	for _, c := range []struct {
		one, other string
		want       bool
	}{
		{"http://a.example/x", "http://a.example/y?z", true},
		{"http://A.example", "http://a.example:80", true},
		{"https://a.example", "https://a.example:443", true},
		{"http://a.example", "https://a.example", true},
		{"http://a.example:8080", "http://a.example:8080", true},
		{"http://a.example:8080", "http://a.example:9090", false},
		{"http://a.example:8080", "https://a.example", false},
		{"http://a.example", "https://a.example:8443", false},
		{"https://a.example", "http://a.example", false},
		{"http://a.example", "http://b.a.example", false},
		{"http://a.example", "http://a.example.b", false},
		{"http://[::1]:81", "http://[::1]:82", false},
	} {
		one, err := url.Parse(c.one)
		if err != nil {
			t.Fatal(err)
		}
		other, err := url.Parse(c.other)
		if err != nil {
			t.Fatal(err)
		}
		if got := sameServer(one, other); got != c.want {
			t.Errorf("Secrets for %s may be sent to %s: %v", c.one, c.other, got)
		}
	}
}

// A feed with an https address is not fetched by http.
func TestRedirectsStayEncrypted(t *testing.T) {
	plain := 0
	b := polled(t, "", func(w http.ResponseWriter, _ *http.Request) {
		plain++
		_, _ = w.Write([]byte(`[1]`))
	})
	to := ""
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			_, _ = w.Write([]byte(`[2]`))
			return
		}
		http.Redirect(w, r, to, http.StatusFound)
	}))
	defer server.Close()
	f, err := New(Options{}, Source{ID: "numbers", Kind: "number", URL: server.URL + "/feed"}, reading())
	if err != nil {
		t.Fatal(err)
	}
	f.fetcher.client.Transport.(*http.Transport).TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig
	to = b.server.URL
	if err := f.Poll(t.Context()); err == nil || plain != 0 || f.Latest() != nil {
		t.Errorf("A redirect from https to http was followed %d times: %v", plain, err)
	}
	to = server.URL
	if err := f.Poll(t.Context()); err != nil {
		t.Errorf("A redirect from https to https was refused: %v", err)
	}
}

func TestRedirectsAreCounted(t *testing.T) {
	for hops, ok := range map[int]bool{maxHops: true, maxHops + 1: false} {
		b := polled(t, "", nil)
		b.answer = func(w http.ResponseWriter, r *http.Request) {
			if n := b.asked.Load(); n <= int64(hops) {
				http.Redirect(w, r, "/again", http.StatusFound)
				return
			}
			_, _ = w.Write([]byte(`[1]`))
		}
		if err := b.Poll(t.Context()); (err == nil) != ok || b.asked.Load() != maxHops+1 {
			t.Errorf("%d redirects took %d requests: %v", hops, b.asked.Load(), err)
		}
	}
}

// A feed of the internet leads to no address of the operator's network, but for those
// hosts that he named. 8.8.8.8 and 192.168.0.1 are never called.
func TestPrivateAddresses(t *testing.T) {
	server := httptest.NewServer(says("secret"))
	defer server.Close()
	name := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	oauth := &OAuth{TokenURL: server.URL + "/token"}
	for way, c := range map[string]struct {
		of   Source
		to   string
		open bool
	}{
		"of a public host":                 {Source{URL: "https://8.8.8.8/"}, server.URL, false},
		"of a public host to a name":       {Source{URL: "https://8.8.8.8/"}, name, false},
		"of a host of the same network":    {Source{URL: "http://192.168.0.1/"}, server.URL, true},
		"of the host itself":               {Source{URL: server.URL}, server.URL, true},
		"of a public host to its tokens":   {Source{URL: "https://8.8.8.8/", OAuth: oauth}, server.URL, true},
		"of a public host to a name of it": {Source{URL: "https://8.8.8.8/", OAuth: oauth}, name, false},
		"of a file":                        {Source{URL: "numbers.json"}, server.URL, false},
	} {
		answer, err := newClient(&c.of).Get(c.to)
		if err == nil {
			_ = answer.Body.Close()
		}
		if (err == nil) != c.open {
			t.Errorf("The way %s: %v", way, err)
		}
	}
}

// TestGuardBeforeAProxy asks which requests may go through a proxy, behind which the
// guard cannot see: not those to an address of a private network, unless the operator
// named their host or has the feed in such a network.
func TestGuardBeforeAProxy(t *testing.T) {
	proxy := &url.URL{Scheme: "http", Host: "proxy.example:3128"}
	for home, may := range map[string]map[string]bool{
		"feeds.invalid": {"feeds.invalid": true, "FEEDS.invalid:8080": true, "10.0.0.1": false, "169.254.169.254": false, "[fd00::1]": false, "localhost": false, "8.8.8.8": true, "no-such-name.invalid": true},
		"127.0.0.1":     {"127.0.0.1": true, "10.0.0.1": true, "8.8.8.8": true},
	} {
		g := &guard{named: []string{home}, dialer: newDialer(), proxy: http.ProxyURL(proxy)}
		for host, want := range may {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+host+"/x", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			to, err := g.through(r)
			if (err == nil) != want || (to == proxy) != want {
				t.Errorf("a feed of %s, to %s: %v, %v; want it let through: %v", home, host, to, err, want)
			}
		}
	}
	g := &guard{named: []string{"feeds.invalid"}, dialer: newDialer(), proxy: http.ProxyURL(nil)}
	if to, err := g.through(&http.Request{URL: &url.URL{Scheme: "http", Host: "10.0.0.1"}}); to != nil || err != nil {
		t.Errorf("without a proxy the dialer decides: %v, %v", to, err)
	}
}
