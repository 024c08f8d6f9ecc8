package osrm_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/enginetest"
	"github.com/waygate/waygate/engine/osrm"
)

// record has TestRecordedSuite ask the servers of SVC_OSRM_URL, and keep their answers.
var record = flag.String("record", "", "version of the OSRM servers of SVC_OSRM_URL, such as 6.0.0: their answers are written to testdata/recorded.json")

// recording is what real servers answered to requests of the suite.
type recording struct {
	Note      string     `json:"note"`
	Version   string     `json:"version"`
	Exchanges []exchange `json:"exchanges"`
}

// exchange is a request, by its path and query, and its answer.
type exchange struct {
	Request string          `json:"request"`
	Status  int             `json:"status"`
	Answer  json.RawMessage `json:"answer"`
}

const recordedFile = "testdata/recorded.json"

// recordedTowns are those whose trips and traces are recorded.
var recordedTowns = []string{
	"the shorter of two ways", "a one-way street", "a roundabout where traffic keeps left", "a roundabout where traffic keeps right", "a dead end is turned round in",
	"stops on the way", "a heading", "the side to arrive on where traffic keeps right", "a ferry is the only way", "a motorway", "a toll road",
	"names and turns", "lanes", "no left turn", "an island", "the open sea", "traces with a gap", "traces of a roundabout",
}

// tape answers requests from a recording, or records what servers answer. It is an
// http.RoundTripper.
type tape struct {
	servers http.RoundTripper // nil answers from the recording

	mu    sync.Mutex
	known map[string]exchange
	asked map[string]bool
}

func (p *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	key := r.URL.RequestURI()
	if p.servers != nil {
		res, err := p.servers.RoundTrip(r)
		if err != nil {
			return nil, err
		}
		body, err := io.ReadAll(res.Body)
		if err == nil {
			err = res.Body.Close()
		}
		if err != nil {
			return nil, err
		}
		p.mu.Lock()
		p.known[key], p.asked[key] = exchange{key, res.StatusCode, body}, true
		p.mu.Unlock()
		res.Body = io.NopCloser(bytes.NewReader(body))
		return res, nil
	}
	p.mu.Lock()
	x, ok := p.known[key]
	p.asked[key] = true
	p.mu.Unlock()
	if !ok {
		x = exchange{Status: http.StatusNotImplemented, Answer: []byte(`{"code":"NotRecorded","message":"this request is not recorded: run the test with -record and SVC_OSRM_URL"}`)}
	}
	return &http.Response{StatusCode: x.Status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(x.Answer)), ContentLength: int64(len(x.Answer)), Request: r}, nil
}

// TestRecordedSuite runs towns of the suite on what real OSRM servers answered to its requests. A
// request that was not recorded fails; so does a recorded one that is no longer sent.
func TestRecordedSuite(t *testing.T) {
	p := &tape{known: map[string]exchange{}, asked: map[string]bool{}}
	servers := map[costing.Costing]string{costing.Auto: "http://recorded.invalid", costing.Bicycle: "http://recorded.invalid", costing.Pedestrian: "http://recorded.invalid"}
	if *record != "" {
		if servers, p.servers = enginetest.OSRMServers(t), http.DefaultTransport; len(servers) == 0 {
			t.Fatal("SVC_OSRM_URL names no OSRM whose answers could be recorded")
		}
	} else {
		var tape recording
		data, err := os.ReadFile(recordedFile)
		if err == nil {
			err = json.Unmarshal(data, &tape)
		}
		if err != nil || tape.Version == "" {
			t.Fatalf("no recording: %v", err)
		}
		for _, x := range tape.Exchanges {
			p.known[x.Request] = x
		}
	}
	e := osrm.New(servers, &http.Client{Transport: p})
	enginetest.RunTowns(t, e, recordedTowns...)
	enginetest.RunPlaces(t, e)
	if t.Failed() {
		return
	}
	if *record == "" {
		for key := range p.known {
			if !p.asked[key] {
				t.Errorf("%s is recorded and no longer asked: run with -record", key)
			}
		}
		return
	}
	out := recording{Note: "Recorded from real OSRM servers with their stock profiles, and data of the suite's extract, by go test ./engine/osrm -run TestRecordedSuite -record VERSION", Version: *record}
	for _, key := range slices.Sorted(maps.Keys(p.known)) {
		out.Exchanges = append(out.Exchanges, p.known[key])
	}
	var text bytes.Buffer
	writer := json.NewEncoder(&text)
	writer.SetEscapeHTML(false)
	if err := writer.Encode(out); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll("testdata", 0o755); err != nil {
		t.Fatal(err)
	}
	// A line for each exchange shows what changed.
	lines := bytes.ReplaceAll(text.Bytes(), []byte(`{"request":`), []byte("\n"+`{"request":`))
	if err := os.WriteFile(recordedFile, lines, 0o644); err != nil { //nolint:gosec // a document
		t.Fatal(err)
	}
}
