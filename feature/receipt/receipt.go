// Package receipt reports of every parameter of a routing request what became of it. It
// rests on what readers and engines do: a parameter that had no effect is named by the
// warning of whoever passed it over, a number that was rounded is read from the options that
// an engine got, and what does not bind in an engine's costing is read from what it can.
package receipt

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/wire/schema"
)

// Receipt reports for each parameter of a request how it was used.
type Receipt struct {
	Engine     string  `json:"engine" doc:"that answered; of several those that may, joined by +, where none had to"`
	Parameters []Entry `json:"parameters" doc:"in the order of the request; members of the entries of a list stand once, as locations[].heading"`
	Complete   bool    `json:"complete" doc:"false where the request has more parameters than are listed, or more of them had no effect than warnings name"`
}

// Entry is a parameter.
type Entry struct {
	Parameter string          `json:"parameter"`
	Status    Status          `json:"status" doc:"honoured: it counted as it was sent; clamped: it counted as to; ignored: it is known and had no effect; unknown: it is not known here, or whether it counted is not known"`
	To        json.RawMessage `json:"to,omitempty" doc:"what it counted as, of one that was clamped"`
	Reason    string          `json:"reason,omitempty" doc:"why, of one that did not count as it was sent"`
}

// Status is how a parameter was used.
type Status string

// What may become of a parameter.
const (
	Honoured Status = "honoured"
	Clamped  Status = "clamped"
	Ignored  Status = "ignored"
	Unknown  Status = "unknown"
)

// Words lists them.
func (Status) Words() []string {
	return []string{string(Honoured), string(Clamped), string(Ignored), string(Unknown)}
}

// Request is a request that was answered.
type Request struct {
	Names    []string                    // of its parameters, as Names or a query gives them
	Costing  costing.Costing             // zero where it has none
	Settings *costing.Settings           // as the engine got them; nil where the request has none
	Option   func(string) costing.Option // of a parameter's name, zero of one that is none
	Can      engine.Can
	Audit    *engine.Audit
	Warnings []engine.Warning // of all who read it
}

// index is which entry of a list a path names.
var index = regexp.MustCompile(`\[\d+\]`)

// most is how many parameters a receipt lists.
const most = 200

// Write writes the receipt of a request.
func Write(r *Request) *Receipt {
	out := &Receipt{Engine: r.Can.Name, Parameters: []Entry{}, Complete: len(r.Names) <= most && len(r.Warnings) <= schema.MostWarnings}
	about := map[string]engine.Warning{}
	for _, w := range r.Warnings {
		for of := range strings.SplitSeq(index.ReplaceAllString(w.Of, "[]"), ",") {
			if _, there := about[of]; !there && of != "" {
				about[of] = w
			}
		}
	}
	for _, name := range r.Names[:min(len(r.Names), most)] {
		out.Parameters = append(out.Parameters, r.entry(name, about))
	}
	return out
}

func (r *Request) entry(name string, about map[string]engine.Warning) Entry {
	for at := name; at != ""; at = above(at) {
		w, there := about[at]
		if !there {
			continue
		}
		status := Ignored
		if w.Code == schema.UnknownMember || w.Code == schema.UnknownOption {
			status = Unknown
		}
		return Entry{Parameter: name, Status: status, Reason: w.Text}
	}
	e := Entry{Parameter: name, Status: Honoured}
	if o := r.Option(name); o != 0 && r.Settings != nil && o.In(r.Costing) {
		// An engine's warning names the option as a body has it, which an adr object or a query
		// names otherwise.
		if w, there := about["costing_options."+r.Costing.String()+"."+o.String()]; there {
			return Entry{Parameter: name, Status: Ignored, Reason: w.Text}
		}
		r.option(&e, o)
	}
	return e
}

// above returns the name of the member that one stands in; "" of one at the top.
func above(name string) string {
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return ""
	}
	return strings.TrimSuffix(name[:i], "[]")
}

// option completes the entry of a costing option that nobody warned of.
func (r *Request) option(e *Entry, o costing.Option) {
	row, can := o.Row(), &r.Can
	judged := r.Audit.Enforces(o)
	switch {
	case o == costing.ADRTunnelCode && !can.TunnelCodes && !judged:
		if r.Settings.Text(o) != costing.NoTunnelForbidden {
			e.Status, e.Reason = Ignored, "the routing engine here does not enforce tunnel codes, and the gateway did not on all of the way"
		}
		return
	case excludes(o) && !can.Exclusions && r.Settings.On(o):
		e.Status, e.Reason = Unknown, "whether hard exclusions bind is a setting of the routing engine that the gateway cannot read"
		return
	case !judged && can.Support(r.Costing, o) == engine.Unheeded:
		e.Status, e.Reason = Ignored, "the routing engine here accepts it for "+r.Costing.String()+" and does not heed it"
		return
	case !judged && can.Support(r.Costing, o) == engine.Unsure:
		e.Status, e.Reason = Unknown, "not all versions of the routing engine here heed it for "+r.Costing.String()
		return
	case !can.Rounds && !judged || !row.Costs() || row.Kind != costing.Number:
		return
	}
	var sent float64
	own := r.Settings.Of(r.Costing)
	if counted := row.Get(&own); json.Unmarshal(r.Settings.Raw()[row.Name], &sent) == nil && counted != sent {
		e.Status, e.To, e.Reason = Clamped, json.RawMessage(strconv.FormatFloat(counted, 'g', -1, 64)), row.Rounding()
	}
}

func excludes(o costing.Option) bool { return strings.HasPrefix(o.String(), "exclude_") }

// Names lists the members of a body that is a JSON object and was read, in order: those of
// objects by their path, and those of the objects in a list once. The member receipt is none.
func Names(body []byte) []string {
	w := walker{decoder: json.NewDecoder(bytes.NewReader(body)), seen: map[string]bool{}}
	w.value("")
	return slices.DeleteFunc(w.names, func(name string) bool { return name == "receipt" })
}

// walker walks over a document.
type walker struct {
	decoder *json.Decoder
	names   []string
	seen    map[string]bool
}

// value walks over a value. Parameters are the members that are neither objects nor lists of
// objects, but for an empty one.
func (w *walker) value(at string) {
	token, err := w.decoder.Token()
	if err != nil {
		return
	}
	switch token {
	case json.Delim('{'):
		if !w.decoder.More() {
			w.name(at)
		}
		for w.decoder.More() {
			name, err := w.decoder.Token()
			if err != nil {
				return
			}
			member, _ := name.(string)
			if at != "" {
				member = at + "." + member
			}
			w.value(member)
		}
		_, _ = w.decoder.Token() // the closing bracket, of a document that was read before
	case json.Delim('['):
		if !w.decoder.More() {
			w.name(at)
		}
		for w.decoder.More() {
			w.value(entries(at))
		}
		_, _ = w.decoder.Token()
	case nil: // null says nothing
	default:
		w.name(strings.TrimSuffix(at, "[]"))
	}
}

// entries returns the path of a list's entries; that of a list of lists is the list.
func entries(at string) string {
	if strings.HasSuffix(at, "[]") {
		return at
	}
	return at + "[]"
}

func (w *walker) name(at string) {
	if at = strings.TrimSuffix(at, "[]"); at == "" || w.seen[at] || len(w.names) > most+1 {
		return
	}
	w.seen[at] = true
	w.names = append(w.names, at)
}

// Option returns the option of a costing that a parameter of a body sets; zero where it sets
// none.
func Option(c costing.Costing) func(name string) costing.Option {
	prefix := "costing_options." + c.String() + "."
	return func(name string) costing.Option {
		if option, ok := strings.CutPrefix(name, prefix); ok {
			return costing.Find(option)
		}
		return adr[name]
	}
}

// adr are the options that the members of a load become.
var adr = map[string]costing.Option{
	"adr.tunnel_code": costing.ADRTunnelCode, "adr.hazmat": costing.Hazmat, "adr.dimensions.height_m": costing.Height, "adr.dimensions.width_m": costing.Width,
	"adr.dimensions.length_m": costing.Length, "adr.dimensions.gross_weight_t": costing.Weight, "adr.dimensions.axle_load_t": costing.AxleLoad, "adr.dimensions.axle_count": costing.AxleCount,
}
