package staticmap

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestNoticesAtOnce has four callers measure notices with the face that all share: each
// gets what it gets alone.
func TestNoticesAtOnce(t *testing.T) {
	const callers, each = 4, 50
	var got [callers][each]Notice
	notice := func(i int) (Notice, error) {
		return NoticeOf(fmt.Sprintf("© number %d of the contributors", i), 300)
	}
	var all sync.WaitGroup
	for k := range callers {
		all.Go(func() {
			for i := range each {
				n, err := notice(i * i)
				if err != nil {
					t.Error(err)
				}
				got[k][i] = n
			}
		})
	}
	all.Wait()
	for i := range each {
		want, err := notice(i * i)
		if err != nil {
			t.Fatal(err)
		}
		for k := range callers {
			if got[k][i] != want {
				t.Errorf("%+v, alone it is %+v", got[k][i], want)
			}
		}
	}
}

// TestPiecesAtOnce has four workers of a browser ask for more files than a style may name:
// as many as are allowed are fetched, and no more.
func TestPiecesAtOnce(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"version":8,"sources":{},"layers":[]}`)
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	m, err := NewForeign([]string{u.Host}, server.Client()).Map(t.Context(), server.URL+"/style.json")
	if err != nil {
		t.Fatal(err)
	}
	var fetched atomic.Int64
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range maxPieces/4 + 10 {
				if _, err := m.Fetch(t.Context(), u.JoinPath("piece")); err == nil {
					fetched.Add(1)
				} else if !strings.Contains(err.Error(), "more than 400 files") {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := fetched.Load(); n != maxPieces {
		t.Errorf("%d files are fetched, %d are allowed", n, maxPieces)
	}
}
