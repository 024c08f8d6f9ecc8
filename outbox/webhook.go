package outbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/waygate/waygate/store"
)

// WebhookLife is how long a webhook is tried.
const WebhookLife = 3 * 24 * time.Hour

const (
	callLimit   = 10 * time.Second
	answerLimit = 64 << 10 // bytes of an answer that are read and dropped
	longestWait = 12 * time.Hour
)

// Webhook is one signed call, as Standard Webhooks defines it.
type Webhook struct {
	// Owner is the account it belongs to, such as the id of a key. Owners take turns, so
	// none delays the webhooks of another.
	Owner  string
	URL    string
	Secret string // whsec_ and base64
	Type   string // quota.threshold, job.succeeded, …
	Data   any    // the payload's data; type and timestamp are added
}

// queuedWebhook is the stored form of a webhook. The body is stored as it is sent, so that
// every attempt sends the same bytes.
type queuedWebhook struct {
	URL    string `json:"url"`
	Secret string `json:"secret"`
	Body   string `json:"body"`
}

// payload is the body of a webhook.
type payload struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"` // RFC 3339, of the event
	Data      any    `json:"data"`
}

var eventType = regexp.MustCompile(`^[a-zA-Z0-9_]+(\.[a-zA-Z0-9_]+)*$`)

// Webhook queues a webhook in a transaction. The error is ErrRefused for an address that
// Permits does not allow, a malformed secret or type, and data that cannot be encoded as
// JSON.
func (o *Outbox) Webhook(ctx context.Context, tx *store.Tx, w Webhook) error {
	if err := o.Permits(w.URL); err != nil {
		return refuse("a webhook's address %w", err)
	}
	if _, err := secretBytes(w.Secret); err != nil {
		return refuse("%w", err)
	}
	if !eventType.MatchString(w.Type) {
		return refuse("the type %q must be words with full stops between them", w.Type)
	}
	now := o.options.Now()
	body, err := json.Marshal(payload{w.Type, now.UTC().Format(time.RFC3339Nano), w.Data})
	if err != nil {
		return refuse("the data of %s: %w", w.Type, err)
	}
	return o.enqueue(ctx, tx, line{webhookKind, w.Owner, receiver(w.URL)}, queuedWebhook{w.URL, w.Secret, string(body)}, now.Add(WebhookLife))
}

// post sends a webhook once. A status from 200 to 299 is success; 410 Gone ends it; after
// any other answer, redirects included, it is tried again.
func (o *Outbox) post(ctx context.Context, id string, c queuedWebhook) error {
	ctx, cancel := context.WithTimeout(ctx, o.options.Timeout)
	defer cancel()
	now := o.options.Now()
	signature, err := Sign(c.Secret, id, now, []byte(c.Body))
	if err != nil {
		return &refusal{reason: err.Error(), final: true}
	}
	// An address that was permitted when it was queued may not be permitted any more.
	if err := o.Permits(c.URL); err != nil {
		return &refusal{reason: "webhook: its address " + err.Error(), final: true}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader([]byte(c.Body)))
	if err != nil {
		return &refusal{reason: "webhook: its address cannot be read", final: true}
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "Waygate")
	request.Header.Set(HeaderID, id)
	request.Header.Set(HeaderTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(HeaderSignature, signature)
	answer, err := o.client.Do(request)
	if err != nil {
		return unsent(err, o.options.Timeout)
	}
	defer answer.Body.Close()
	// The answer is read, since a receiver whose answer is cut off may count the call as
	// failed. Its contents and its end do not matter.
	_, err = io.Copy(io.Discard, io.LimitReader(answer.Body, answerLimit))
	if answer.StatusCode >= 200 && answer.StatusCode <= 299 {
		if err != nil {
			return errStalled
		}
		return nil
	}
	return &refusal{
		reason: fmt.Sprintf("webhook: the receiver answered %d", answer.StatusCode),
		status: answer.StatusCode,
		final:  answer.StatusCode == http.StatusGone,
		after:  retryAfter(answer.Header.Get("Retry-After"), now),
	}
}

// errStalled is the error of a call that was accepted (the status says so) but whose answer
// did not end within the time limit.
var errStalled = errors.New("webhook: the answer does not end")

// unsent is the error of a call without an answer. It leaves out the address, which may
// contain a secret.
func unsent(err error, limit time.Duration) error {
	var refused *refusedAddress
	if errors.As(err, &refused) {
		return &refusal{reason: "webhook: " + refused.Error(), final: true}
	}
	var with *url.Error
	if errors.As(err, &with) {
		err = with.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("webhook: no answer within %s", limit)
	}
	return fmt.Errorf("webhook: %w", err)
}

// retryAfter reads a Retry-After in seconds or as a date; 0 where there is none. It returns
// longestWait at most.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	if seconds, err := strconv.ParseUint(text, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(longestWait/time.Second))) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return min(max(at.Sub(now), 0), longestWait)
	}
	return 0
}
