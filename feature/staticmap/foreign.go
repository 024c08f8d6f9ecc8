package staticmap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/internet"
)

// Bounds of the requests to other servers for one image.
const (
	maxStyle    = 1 << 20 // bytes
	maxPiece    = 4 << 20 // bytes
	maxPieces   = 400
	maxHops     = 3
	foreignTime = 10 * time.Second // for one piece
)

// Foreign reads styles of other servers, and what they name.
type Foreign struct {
	hosts  []string // that may be asked
	client *http.Client
}

// NewForeign makes a Foreign that asks these hosts, over https and at public
// addresses only. client is nil but in tests, where it may reach others.
func NewForeign(hosts []string, client *http.Client) *Foreign {
	f := &Foreign{hosts: hosts, client: client}
	if client == nil {
		dialer := &net.Dialer{Timeout: foreignTime, Control: internet.Only}
		f.client = &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, TLSHandshakeTimeout: foreignTime, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 8, IdleConnTimeout: time.Minute}}
	}
	f.client.Timeout = foreignTime
	f.client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > maxHops {
			return errors.New("too many redirects")
		}
		return f.allows(r.URL)
	}
	return f
}

// allows returns why an address may not be fetched; nil where it may.
func (f *Foreign) allows(address *url.URL) error {
	switch {
	case address.Scheme != "https":
		return errors.New("must be an https address")
	case address.User != nil:
		return errors.New("must not hold a password")
	case !slices.Contains(f.hosts, strings.ToLower(address.Host)):
		return fmt.Errorf("is on %s, which this deployment does not allow; allowed are %s", fault.Clip(address.Host), strings.Join(f.hosts, ", "))
	}
	return nil
}

// Map returns the map of a style at an address. What is wrong with it is a
// BadRequest.
func (f *Foreign) Map(ctx context.Context, address string) (Map, error) {
	refuse := func(format string, args ...any) (Map, error) {
		return Map{}, fault.Invalid(fault.Violation{Location: "style", Value: fault.Clip(address), Message: fmt.Sprintf(format, args...)})
	}
	if f == nil || len(f.hosts) == 0 {
		return refuse("is an address; this deployment takes styles from no other server. Name a theme or publish a style with POST /styles")
	}
	u, err := url.Parse(address)
	if err != nil {
		return refuse("is no address")
	}
	if err := f.allows(u); err != nil {
		return refuse("%v", err)
	}
	found, err := f.ask(ctx, u, maxStyle)
	if err != nil || found.Status != http.StatusOK {
		return refuse("could not be read: %s", reason(found, err))
	}
	var style map[string]any
	if err := json.Unmarshal(found.Body, &style); err != nil || style["version"] != 8.0 {
		return refuse("is no MapLibre style of version 8")
	}
	m := Map{Style: style, Foreign: true, Attribution: f.attribution(ctx, style)}
	asked := new(atomic.Int64)
	m.Fetch = func(ctx context.Context, address *url.URL) (*Resource, error) {
		if err := f.allows(address); err != nil {
			return nil, err
		}
		if asked.Add(1) > maxPieces {
			return nil, fmt.Errorf("the style asks for more than %d files", maxPieces)
		}
		return f.ask(ctx, address, maxPiece)
	}
	return m, nil
}

// reason returns why a style could not be read, without what only concerns this
// machine and its network.
func reason(r *Resource, err error) string {
	var private *internet.PrivateError
	var unknown *net.DNSError
	var broken net.Error
	var failed *url.Error
	switch {
	case err == nil:
		return "its server answers " + strings.TrimSpace(strconv.Itoa(r.Status)+" "+http.StatusText(r.Status))
	case errors.As(err, &private):
		return "its host has no public address"
	case errors.As(err, &unknown):
		return "its host is not known"
	case errors.As(err, &broken) && broken.Timeout():
		return "its server does not answer in time"
	case errors.As(err, new(*net.OpError)):
		return "its server cannot be reached"
	case errors.As(err, &failed):
		return failed.Err.Error()
	}
	return err.Error()
}

// ask reads an address.
func (f *Foreign) ask(ctx context.Context, address *url.URL, limit int64) (*Resource, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := f.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, limit+1))
	if err == nil && int64(len(body)) > limit {
		err = fmt.Errorf("it has more than %d bytes", limit)
	}
	if err != nil {
		return nil, err
	}
	return &Resource{Status: answer.StatusCode, Header: http.Header{"Content-Type": answer.Header["Content-Type"]}, Body: body}, nil
}

// attribution gathers whom the sources of a style name, from the style and from
// the TileJSON of each.
func (f *Foreign) attribution(ctx context.Context, style map[string]any) string {
	var all []string
	sources, _ := style["sources"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(sources)) {
		source, _ := sources[name].(map[string]any)
		text, _ := source["attribution"].(string)
		if address, _ := source["url"].(string); text == "" && address != "" {
			var about struct{ Attribution string }
			if u, err := url.Parse(address); err == nil && f.allows(u) == nil {
				if found, err := f.ask(ctx, u, maxStyle); err == nil && json.Unmarshal(found.Body, &about) == nil {
					text = about.Attribution
				}
			}
		}
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return strings.Join(all, " · ")
}
