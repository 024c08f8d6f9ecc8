package render

import (
	"bytes"
	"context"
	"errors"
	"image"
	_ "image/png"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/waygate/waygate/waittest"
)

// start makes a pool of one browser that draws with a page.
func start(t *testing.T, script string, change ...func(*Options)) *Pool {
	t.Helper()
	path, err := Find("")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	o := Options{
		Chromium: path, Page: "page.html", Size: 1, Log: slog.New(slog.DiscardHandler), Start: waittest.Patience, Hang: waittest.Patience,
		Site: fstest.MapFS{
			"page.html": {Data: []byte(`<!doctype html><script type="module" src="page.js"></script>`)},
			"page.js":   {Data: []byte(script)},
			"worker.js": {Data: []byte(`onmessage = async ({data}) => { try { postMessage((await fetch(data)).status) } catch { postMessage(0) } }`)},
		},
	}
	for _, c := range change {
		c(&o)
	}
	p := New(o)
	t.Cleanup(p.Close)
	return p
}

// white is a page that draws a white image of a given size.
const white = `globalThis.draw = async ({width, height}) => {
	const canvas = new OffscreenCanvas(width, height), to = canvas.getContext("2d")
	to.fillStyle = "#fff"; to.fillRect(0, 0, width, height)
	const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())
	return btoa(String.fromCharCode(...bytes))
}`

func TestImage(t *testing.T) {
	t.Parallel()
	p := start(t, white)
	for _, width := range []int{8, 16} {
		got, err := p.Image(t.Context(), Job{Data: map[string]int{"width": width, "height": 4}})
		if err != nil {
			t.Fatal(err)
		}
		c, _, err := image.DecodeConfig(bytes.NewReader(got))
		if err != nil || c.Width != width || c.Height != 4 {
			t.Errorf("%+v, %v", c, err)
		}
	}
}

// asks is a page that answers with the statuses of addresses, asked by the page
// itself and by a worker; 0 is a refusal.
const asks = `globalThis.draw = async ({addresses}) => {
	let said = ""
	for (const address of addresses) {
		let status = 0
		try { status = (await fetch(address)).status } catch {}
		const worker = new Worker("worker.js")
		const again = await new Promise(resolve => { worker.onmessage = ({data}) => resolve(data); worker.postMessage(address) })
		worker.terminate()
		said += status + "," + again + " "
	}
	return btoa(said)
}`

// Nothing that the page or its workers ask for reaches a network.
func TestNothingLeaves(t *testing.T) {
	t.Parallel()
	reached := make(chan string, 100)
	outside := http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { reached <- r.URL.Path })}
	t.Cleanup(func() { _ = outside.Close() })
	listener := listen(t)
	go func() { _ = outside.Serve(listener) }()
	p := start(t, asks)
	got, err := p.Image(t.Context(), Job{
		Data: map[string]any{"addresses": []string{Origin + "/own", Origin + "/none", "http://" + listener.Addr().String() + "/a", "http://169.254.169.254/latest", "https://tiles.example/1"}},
		Fetch: func(_ context.Context, address *url.URL) (*Resource, error) {
			switch {
			case address.Path == "/own":
				return &Resource{Body: []byte("x")}, nil
			case address.Host == "tiles.example":
				return &Resource{Status: http.StatusNoContent}, nil
			}
			return nil, nil //nolint:nilnil // is refused
		},
	})
	if err != nil || string(got) != "200,200 0,0 0,0 0,0 204,204 " {
		t.Errorf("%q, %v", got, err)
	}
	select {
	case path := <-reached:
		t.Errorf("%s was asked for over the network", path)
	default:
	}
}

// An error of the page is reported, and the next image drawn.
func TestPageError(t *testing.T) {
	t.Parallel()
	p := start(t, `globalThis.draw = async ({fail}) => { if (fail) throw new Error("no such layer"); return btoa("ok") }`)
	_, err := p.Image(t.Context(), Job{Data: map[string]bool{"fail": true}})
	var page *PageError
	if !errors.As(err, &page) {
		t.Errorf("%v", err)
	}
	if got, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil || string(got) != "ok" {
		t.Errorf("%q, %v", got, err)
	}
}

// A browser that hangs is replaced, and the image drawn by the next; where that
// hangs too there is none, and the pool goes on.
func TestHang(t *testing.T) {
	t.Parallel()
	asked := new(atomic.Int64)
	p := start(t, `globalThis.draw = async ({hang}) => { if (hang && (await fetch("/how")).status === 200) for (;;); return btoa("ok") }`)
	// image draws with a page that hangs the first times that it is requested. The limit is
	// of those that hang; on a slow machine it may be over before the page is requested.
	image := func(hangs int64) (got []byte, err error) {
		for limit := range waittest.Limits(time.Second) {
			asked.Store(0)
			p.options.Hang = limit
			got, err = p.Image(t.Context(), Job{Data: map[string]bool{"hang": true}, Fetch: func(_ context.Context, address *url.URL) (*Resource, error) {
				if address.Path == "/how" {
					n := asked.Add(1)
					if n == hangs {
						p.options.Hang = waittest.Patience // what comes next does not hang
					}
					if n <= hangs {
						return &Resource{}, nil
					}
				}
				return &Resource{Status: http.StatusNoContent}, nil
			}})
			if asked.Load() == 2 {
				break
			}
		}
		return got, err
	}
	if got, err := image(1); err != nil || string(got) != "ok" || asked.Load() != 2 {
		t.Errorf("%q, %v after %d tries", got, err, asked.Load())
	}
	if _, err := image(5); !errors.Is(err, ErrHung) || asked.Load() != 2 {
		t.Errorf("%v after %d tries", err, asked.Load())
	}
	p.options.Hang = waittest.Patience
	if got, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil || string(got) != "ok" {
		t.Errorf("%q, %v", got, err)
	}
}

// A caller who leaves is heeded at once, and more than may wait are refused.
func TestWaitingAtOnce(t *testing.T) {
	t.Parallel()
	p := start(t, `globalThis.draw = async ({wait}) => { if (wait) await fetch("/wait"); return btoa("ok") }`, func(o *Options) { o.Waiting = 1 })
	drawing := make(chan struct{}, 4)
	slow := Job{Data: map[string]bool{"wait": true}, Fetch: func(ctx context.Context, address *url.URL) (*Resource, error) {
		if address.Path != "/wait" {
			return nil, nil //nolint:nilnil // is refused
		}
		drawing <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	first, leave := context.WithCancel(t.Context())
	ended := make(chan error, 2)
	go func() { _, err := p.Image(first, slow); ended <- err }()
	<-drawing
	second, give := context.WithCancel(t.Context())
	go func() { _, err := p.Image(second, slow); ended <- err }()
	for p.queued.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := p.Image(t.Context(), slow); !errors.Is(err, ErrBusy) {
		t.Errorf("a third: %v", err)
	}
	give()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up waiting: %v", err)
	}
	leave()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("who left: %v", err)
	}
	if got, err := p.Image(t.Context(), Job{Data: map[string]bool{}}); err != nil || string(got) != "ok" {
		t.Errorf("the next: %q, %v", got, err)
	}
}

// Resources that the page requests at once are fetched a part at a time.
func TestHeld(t *testing.T) {
	t.Parallel()
	p := start(t, `globalThis.draw = async () => {
		const all = await Promise.all(Array.from({length: 100}, (_, i) => fetch("/piece" + i).then(answer => answer.text())))
		return btoa(all.join(""))
	}`)
	var now, most atomic.Int64
	got, err := p.Image(t.Context(), Job{Fetch: func(_ context.Context, address *url.URL) (*Resource, error) {
		if n := now.Add(1); n > most.Load() {
			most.Store(n)
		}
		defer now.Add(-1)
		time.Sleep(time.Millisecond)
		if !strings.HasPrefix(address.Path, "/piece") {
			return nil, nil //nolint:nilnil // is refused
		}
		return &Resource{Body: []byte("x")}, nil
	}})
	if err != nil || len(got) != 100 || most.Load() > mostHeld {
		t.Errorf("%q, %v, %d at once", got, err, most.Load())
	}
}

// A browser that has drawn as many images as it may is ended, and a fresh one draws on: what a
// page counts begins anew with it. An error of the page counts as an image.
func TestRetire(t *testing.T) {
	t.Parallel()
	p := start(t, `let drawn = 0; globalThis.draw = async ({fail}) => { if (fail) throw new Error("no such layer"); return btoa(++drawn) }`)
	if p.retire != retireAfter {
		t.Errorf("a browser is replaced after %d images, want %d", p.retire, retireAfter)
	}
	p.retire = 3
	var first int
	for i, want := range []string{"1", "2", "3", "1", "2", "fail", "1"} {
		got, err := p.Image(t.Context(), Job{Data: map[string]bool{"fail": want == "fail"}})
		var page *PageError
		if want == "fail" && !errors.As(err, &page) || want != "fail" && (err != nil || string(got) != want) {
			t.Errorf("image %d is the browser's %q, %v; want %s", i+1, got, err, want)
		}
		allFree(t, p) // the place is back, and what was in it has ended
		s := <-p.free
		switch {
		case i == 0:
			first = s.browser.cmd.Process.Pid
		case i == 2 || want == "fail":
			if s.browser != nil {
				t.Errorf("after image %d the browser is still there", i+1)
			}
		}
		p.free <- s
	}
	emptied(t, first)
}

func TestFind(t *testing.T) {
	t.Parallel()
	if _, err := Find("/nowhere/chromium"); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
}
