package notify

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"cove/internal/fault"
)

// Hook is an address that hears of requests.
type Hook struct {
	// URL is https, or http on this computer. With ntfy: in front of it the message is a text, as ntfy takes it.
	URL string
	// Secret signs the message; "" for no signature.
	Secret string
}

// Message is what an address hears. It holds nothing of a page.
type Message struct {
	Profile int    `json:"profile"`
	Request string `json:"request"`
	Kind    string `json:"kind"`
	Agent   string `json:"agent"`
	// Message is what the agent asks for, where the person wants that to be told.
	Message string `json:"message,omitempty"`

	// Title is the sentence for people.
	Title string `json:"-"`
}

// HeaderSignature carries the signature of a message: sha256= and the HMAC of its body in hex.
const HeaderSignature = "Cove-Signature"

const hookLimit = 10 * time.Second

// ntfy stands in front of the address of an ntfy topic.
const ntfy = "ntfy:"

// CheckURL says why an address cannot be told of requests. The empty text stands for no address.
func CheckURL(text string) error {
	if text == "" {
		return nil
	}
	u, err := url.Parse(strings.TrimPrefix(text, ntfy))
	if err == nil && u.Hostname() != "" && u.User == nil &&
		(u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())) {
		return nil
	}
	return fault.Invalidf("This is not a URL that can be notified.").
		WithHint("Use https://…, or http:// on this computer. For a topic of ntfy write ntfy:https://ntfy.sh/TOPIC.")
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// client follows no redirect: the message is for one address.
var client = &http.Client{
	Timeout:       hookLimit,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Send sends a message to the address.
func (h Hook) Send(ctx context.Context, m Message) error {
	if err := CheckURL(h.URL); err != nil {
		return err
	}
	address, isNtfy := strings.CutPrefix(h.URL, ntfy)
	body, kind := []byte(m.Title), "text/plain; charset=utf-8"
	if isNtfy && m.Message != "" {
		body = []byte(m.Title + "\n" + m.Message)
	}
	if !isNtfy {
		var err error
		if body, err = json.Marshal(m); err != nil {
			return err
		}
		kind = "application/json"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", kind)
	req.Header.Set("User-Agent", "Cove")
	if h.Secret != "" {
		sum := hmac.New(sha256.New, []byte(h.Secret))
		_, _ = sum.Write(body)
		req.Header.Set(HeaderSignature, "sha256="+hex.EncodeToString(sum.Sum(nil)))
	}
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode >= 300 {
		return fmt.Errorf("the address answered %s", res.Status)
	}
	return nil
}
