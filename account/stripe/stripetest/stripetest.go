// Package stripetest helps to test payments: it runs stripe-mock, Stripe's own stand-in
// for its API, which checks requests against the API's description, and signs events.
package stripetest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stripe/stripe-go/v86/webhook"

	"github.com/waygate/waygate/waittest"
)

// Key is a key that stripe-mock accepts.
const Key = "sk_test_stripetest"

// Start runs stripe-mock until the test ends and returns the address of its API. The
// test is skipped if the program is not built.
func Start(t testing.TB) (address string) {
	t.Helper()
	program, err := find()
	if err != nil {
		t.Fatal(err)
	}
	if program == "" {
		t.Skip("stripe-mock is not built: make test builds it into .tools")
	}
	ctx, cancel := context.WithCancel(context.Background())
	listening, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		err = run(ctx, program, listening)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	select {
	case at := <-listening:
		return "http://" + at
	case <-ended:
		t.Fatalf("stripe-mock ended: %v", err)
	case <-time.After(waittest.Patience):
		t.Fatal("stripe-mock does not listen")
	}
	return ""
}

// run runs the program until ctx ends, or until the test binary dies, and sends the
// address on which it listens.
func run(ctx context.Context, program string, listening chan<- string) error {
	// The death signal comes when the thread that started the process ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, program, "-http-addr", "127.0.0.1:0", "-https-addr", "127.0.0.1:0")
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		return err
	}
	var last string
	for lines := bufio.NewScanner(said); lines.Scan(); {
		last = lines.Text()
		if at, ok := strings.CutPrefix(last, "Listening for HTTP at address: "); ok {
			listening <- at
			break
		}
	}
	_, err = io.Copy(io.Discard, said)
	return fmt.Errorf("%w after %q", errors.Join(err, cmd.Wait()), last)
}

// find looks for the program in .tools at the root of the repository; "" where
// it is not there.
func find() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for ; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return "", errors.New("no go.mod above the test")
		}
	}
	found, err := filepath.Glob(filepath.Join(dir, ".tools", "stripe-mock-v*"))
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[len(found)-1], nil
}

// Event is a webhook's body: an object that something happened to.
type Event struct {
	ID      string
	Type    string    // checkout.session.completed, …
	Created time.Time // whole seconds; zero is now
	Version string    // of the API; "" is an old one
	Object  map[string]any
}

// Body returns the event as Stripe sends it.
func (e Event) Body(t testing.TB) []byte {
	t.Helper()
	if e.Created.IsZero() {
		e.Created = time.Now()
	}
	if e.Version == "" {
		e.Version = "2020-08-27"
	}
	body, err := json.Marshal(map[string]any{
		"id": e.ID, "object": "event", "api_version": e.Version, "created": e.Created.Unix(), "livemode": false,
		"pending_webhooks": 1, "request": map[string]any{"id": nil, "idempotency_key": nil},
		"type": e.Type, "data": map[string]any{"object": e.Object},
	})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// Sign returns the header Stripe-Signature of a body sent at a time; zero is now.
func Sign(body []byte, secret string, at time.Time) string {
	return webhook.GenerateTestSignedPayload(&webhook.UnsignedPayload{Payload: body, Secret: secret, Timestamp: at}).Header
}

// Session makes a checkout session that has paid pence of an identity's credit.
func Session(id, identityID string, pence int64) map[string]any {
	return map[string]any{
		"id": id, "object": "checkout.session", "mode": "payment", "status": "complete", "payment_status": "paid",
		"currency": "gbp", "amount_subtotal": pence, "amount_total": pence, "client_reference_id": identityID, "customer": nil,
		"metadata": map[string]string{"identity_id": identityID, "pence": fmt.Sprint(pence)},
	}
}

// Subscription makes a subscription of an identity to a plan, by the id of its price.
func Subscription(id, identityID, status, price string) map[string]any {
	return map[string]any{
		"id": id, "object": "subscription", "status": status, "customer": nil,
		"metadata": map[string]string{"identity_id": identityID},
		"items": map[string]any{"object": "list", "data": []any{
			map[string]any{"id": "si_1", "object": "subscription_item", "quantity": 1, "price": map[string]any{"id": price, "object": "price", "currency": "gbp"}},
		}},
	}
}

// Invoice makes a paid bill of a customer's subscription.
func Invoice(id, customer string, pence int64) map[string]any {
	return map[string]any{
		"id": id, "object": "invoice", "status": "paid", "currency": "gbp", "amount_due": pence, "amount_paid": pence,
		"billing_reason": "subscription_cycle", "customer": customer,
	}
}
