package upstream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Doer sends HTTP requests: a Client, or an http.Client.
type Doer interface {
	Do(r *http.Request) (*http.Response, error)
}

// Client sends requests to servers that are asked often. It keeps connections for reuse and
// gives each request at most a minute. Answers come uncompressed, and redirects are answers.
//
// A short request over plain HTTP is written, and its answer read, in the goroutine of its
// caller. http.Transport has two more for each connection, and to hand a request over to one and
// an answer back from the other takes about as long as to write and to read them. Requests over
// TLS or by a proxy, and those with long bodies, which a server may refuse before it has read all,
// go by http.Transport. So do all where the system does not say what a connection that idled has
// received.
//
// It is safe for concurrent use.
type Client struct {
	rest  *http.Client // of requests that are not sent directly
	dial  func(ctx context.Context, network, address string) (net.Conn, error)
	proxy func(*http.Request) (*url.URL, error)

	mu       sync.Mutex
	idle     map[string][]*conn // by address, the one used last at the end
	sweeping bool               // a timer looks for those that idle too long
}

const (
	callTime  = time.Minute      // for a request and its answer
	idleTime  = 90 * time.Second // until a connection that idles is closed
	mostIdle  = 64               // connections to one server
	mostHead  = 64 << 10         // bytes of an answer's header, with those of interim answers before it
	mostShort = 64 << 10         // bytes of a body that a connection takes at once
)

// NewClient makes a Client. It uses a proxy where the environment names one.
func NewClient() *Client {
	c := &Client{dial: promptly((&net.Dialer{Timeout: 2 * time.Second}).DialContext), proxy: http.ProxyFromEnvironment, idle: map[string][]*conn{}}
	c.rest = &http.Client{
		Timeout:       callTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:                  c.proxy,
			DialContext:            c.dial,
			TLSHandshakeTimeout:    5 * time.Second,
			MaxIdleConnsPerHost:    mostIdle,
			IdleConnTimeout:        idleTime,
			DisableCompression:     true,
			MaxResponseHeaderBytes: mostHead,
		},
	}
	return c
}

// Do sends a request and returns the answer, whose body must be read to its end or closed. It
// fails as an http.Client does.
//
// A request that a kept connection has not answered at all, because its server closed it
// meanwhile, is sent once more over a new one where that is harmless: with the method GET or
// HEAD, or with an Idempotency-Key, which as nil is not sent.
func (c *Client) Do(r *http.Request) (*http.Response, error) {
	if !c.direct(r) {
		return c.rest.Do(r)
	}
	res, err := c.exchange(r)
	if err != nil {
		return nil, &url.Error{Op: r.Method, URL: r.URL.Redacted(), Err: err}
	}
	return res, nil
}

// direct reports whether a request is written in the goroutine of its caller.
func (c *Client) direct(r *http.Request) bool {
	if !peeks || r.Method != http.MethodGet && r.Method != http.MethodHead && r.Method != http.MethodPost {
		return false
	}
	bare := r.Body == nil || r.Body == http.NoBody
	if r.URL.Scheme != "http" || !plain(r.URL.Host) || r.ContentLength < 0 || r.ContentLength > mostShort || bare != (r.ContentLength == 0) || len(r.TransferEncoding) > 0 {
		return false
	}
	if r.Header == nil || r.Header["Expect"] != nil || r.Header["Upgrade"] != nil {
		return false
	}
	proxy, err := c.proxy(r)
	return proxy == nil && err == nil
}

// plain reports whether a host with its port is not empty and is dialled as it is written.
func plain(host string) bool {
	return host != "" && !strings.ContainsFunc(host, func(c rune) bool { return c <= ' ' || c >= 0x7f })
}

// buffers are those that requests are written in.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// exchange sends a request over a kept connection or a new one.
func (c *Client) exchange(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	text := buffers.Get().(*bytes.Buffer)
	text.Reset()
	defer buffers.Put(text)
	if user := r.URL.User; user != nil && r.Header.Get("Authorization") == "" {
		password, _ := user.Password()
		r = r.Clone(ctx)
		r.SetBasicAuth(user.Username(), password)
	}
	if err := r.Write(text); err != nil {
		return nil, err
	}
	address := r.URL.Host
	if r.URL.Port() == "" {
		address = net.JoinHostPort(r.URL.Hostname(), "80")
	}
	l := c.kept(address)
	if l != nil {
		res, err := l.exchange(r, text.Bytes())
		again := err != nil && l.heard == 0 && ctx.Err() == nil && !isTimeout(err) // it was closed while the request was under way
		if err == nil && res.StatusCode == http.StatusRequestTimeout {
			again = true // what servers say that give up waiting for the next request
		}
		if !again || !harmlessTwice(r) {
			return res, err
		}
		if err == nil {
			_ = res.Body.Close()
		}
	}
	opened, err := c.dial(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	l = &conn{Conn: opened, of: c, address: address}
	l.in = bufio.NewReader(l)
	return l.exchange(r, text.Bytes())
}

// harmlessTwice reports whether a request may be sent again, as http.Transport has it.
func harmlessTwice(r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	_, ok := r.Header["Idempotency-Key"]
	return ok
}

func isTimeout(err error) bool {
	var slow net.Error
	return errors.As(err, &slow) && slow.Timeout()
}

// kept takes the connection to an address that was used last; nil where there is none. Those
// that the server has closed, or has written to though nothing was asked, are closed.
func (c *Client) kept(address string) *conn {
	for {
		c.mu.Lock()
		list := c.idle[address]
		if len(list) == 0 {
			c.mu.Unlock()
			return nil
		}
		l := list[len(list)-1]
		list[len(list)-1] = nil
		c.idle[address] = list[:len(list)-1]
		c.mu.Unlock()
		if quiet(l.Conn) {
			return l
		}
		_ = l.Close()
	}
}

// keep keeps a connection for reuse.
func (c *Client) keep(l *conn) {
	l.since = time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	list := c.idle[l.address]
	if len(list) >= mostIdle {
		_ = l.Close()
		return
	}
	c.idle[l.address] = append(list, l)
	if !c.sweeping {
		c.sweeping = true
		time.AfterFunc(idleTime, c.sweep)
	}
}

// sweep closes connections that have idled too long, and comes again while there are others.
func (c *Client) sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	for address, list := range c.idle {
		n := 0
		for n < len(list) && now.Sub(list[n].since) >= idleTime {
			_ = list[n].Close()
			n++
		}
		if list = append([]*conn(nil), list[n:]...); len(list) > 0 {
			c.idle[address] = list
		} else {
			delete(c.idle, address)
		}
	}
	if c.sweeping = len(c.idle) > 0; c.sweeping {
		time.AfterFunc(idleTime, c.sweep)
	}
}

// conn is a connection that one request at a time goes over.
type conn struct {
	net.Conn
	of      *Client
	address string
	in      *bufio.Reader
	head    int       // bytes that may still be read of a header; below 0 of a body, which has no bound
	heard   int       // bytes read since the request
	limit   time.Time // the deadline that is set
	since   time.Time // of idling
}

var errHead = fmt.Errorf("the header of the answer has more than %d bytes", mostHead)

// Read serves the reader of answers.
func (c *conn) Read(p []byte) (int, error) {
	if c.head == 0 {
		return 0, errHead
	}
	if c.head > 0 {
		p = p[:min(len(p), c.head)]
	}
	n, err := c.Conn.Read(p)
	if c.heard += n; c.head > 0 {
		c.head -= n
	}
	return n, err
}

// exchange writes a request and reads the header of its answer. A failure closes the connection.
func (c *conn) exchange(r *http.Request, text []byte) (*http.Response, error) {
	ctx := r.Context()
	limit := time.Now().Add(callTime)
	if until, ok := ctx.Deadline(); ok && until.Before(limit) {
		limit = time.Time{} // the context ends before
	}
	if limit != c.limit {
		c.limit = limit
		_ = c.SetDeadline(limit) // fails where it is closed, as all that follows does
	}
	c.heard, c.head = 0, mostHead
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	_, unsent := c.Write(text)
	res, err := c.answer(r) // of one that could not be sent whole the server may have said why
	if err != nil {
		if unsent != nil {
			err = unsent
		}
		stop()
		_ = c.Close()
		return nil, ended(ctx, err)
	}
	c.head = -1
	b := &answerBody{ReadCloser: res.Body, conn: c, ctx: ctx, stop: stop, last: res.Close || r.Close || unsent != nil}
	res.Body = b
	if b.ReadCloser == http.NoBody {
		b.end(io.EOF)
		res.Body = http.NoBody
	}
	return res, nil
}

// answer reads the header of an answer, past interim ones.
func (c *conn) answer(r *http.Request) (*http.Response, error) {
	for {
		res, err := http.ReadResponse(c.in, r)
		if err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) && c.heard == 0 {
				err = io.EOF
			}
			return nil, err
		}
		switch {
		case res.StatusCode == http.StatusSwitchingProtocols:
			return nil, errors.New("the server switches to another protocol, which nobody has asked for")
		case res.StatusCode >= http.StatusOK:
			return res, nil
		}
	}
}

// ended returns the error of a context that has ended, else one of a connection.
func ended(ctx context.Context, err error) error {
	if e := ctx.Err(); e != nil {
		return e
	}
	return err
}

// answerBody is the body of an answer. Its end gives the connection back.
type answerBody struct {
	io.ReadCloser
	conn *conn
	ctx  context.Context //nolint:containedctx // of the request, whose end ends reading
	stop func() bool     // releases the context; false where that has ended
	last bool            // no other request goes over the connection
	err  error           // of the end: io.EOF where all was read; nil before
}

// Read serves io.Reader.
func (b *answerBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = ended(b.ctx, err)
	}
	if err != nil {
		b.end(err)
	}
	return n, err
}

// Close serves io.Closer. A connection of which an answer was not read to its end is closed.
func (b *answerBody) Close() error {
	b.end(http.ErrBodyReadAfterClose)
	return nil
}

// end gives the connection back for the first end of a body, or closes it.
func (b *answerBody) end(err error) {
	if b.err != nil {
		return
	}
	b.err = err
	if b.stop() && errors.Is(err, io.EOF) && !b.last && b.conn.in.Buffered() == 0 {
		b.conn.of.keep(b.conn)
		return
	}
	_ = b.conn.Close()
}
