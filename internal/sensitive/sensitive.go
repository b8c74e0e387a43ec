// Package sensitive knows which form fields, names, headers and hosts carry a password, a one-time code or a payment.
package sensitive

import (
	"slices"
	"strings"
)

// Kind says what a form field is for.
type Kind string

const (
	// None is a field like any other.
	None Kind = ""
	// Password is a field for a password, a passphrase or a PIN.
	Password Kind = "password"
	// Code is a field for a one-time code.
	Code Kind = "code"
	// Payment is a field for a card or an account, or a frame of a payment provider.
	Payment Kind = "payment"
	// Unknown is for a page that cannot be read. Whoever decides by a Kind must treat it as the worst one.
	Unknown Kind = "unknown"
)

// Hidden reports whether agents do not get to read the value of a field of this kind. They may read codes and what they
// pay with: they have typed these, and must see whether the page took them.
func (k Kind) Hidden() bool { return k == Password || k == Unknown }

// Worst returns the kind that a decision about all of these must be made by. A kind that is known comes before Unknown:
// both need the same right, and it makes a better question.
func Worst(kinds []Kind) Kind {
	for _, k := range [...]Kind{Password, Code, Payment, Unknown} {
		if slices.Contains(kinds, k) {
			return k
		}
	}
	return None
}

// Field is what an input element says about itself, as its attributes are written.
type Field struct {
	Type, Autocomplete, Name, ID string
}

// untyped are the types of inputs that nobody types into.
var untyped = []string{
	"hidden", "checkbox", "radio", "button", "submit", "reset", "image", "file", "color", "range",
}

// autocomplete maps the words of the attribute of that name to kinds. Words that begin with "cc-" are Payment.
func autocomplete(word string) Kind {
	switch {
	case strings.HasPrefix(word, "cc-"):
		return Payment
	case strings.HasSuffix(word, "-password"):
		return Password
	case word == "one-time-code":
		return Code
	}
	return None
}

// names lists patterns for the name or id of a field, in the order in which they are tried. A pattern is matched
// against the name in lower case without anything but letters and digits, and is valid in Go and in JavaScript.
var names = []struct {
	kind    Kind
	pattern string
}{
	{Code, `onetimepass|^(otp|totp|mfa|2fa)$|^(otp|totp|mfa|2fa|twofactor|sms|onetime|verification)(code|token|pin)$`},
	{Password, `passw|passphrase|passcode|pwd|^(pass|pw|pin|clientsecret)$`},
	{Payment, `(card|cc)(num|no$|cvc|cvv|csc|code|exp)|^(cvv2?|cvc2?|csc|iban)$|securitycode`},
}

// Kind returns what the field is for. Where its attributes disagree, the worst of them counts: pages call a password's
// field a one-time code, so that password managers leave it alone.
func (f Field) Kind() Kind {
	typ := strings.ToLower(strings.TrimSpace(f.Type))
	if typ == "password" {
		return Password
	}

	// A page that says what a field is for is believed whatever the type: it may copy a card into a hidden input.
	var kinds []Kind
	for word := range strings.FieldsSeq(strings.ToLower(f.Autocomplete)) {
		kinds = append(kinds, autocomplete(word))
	}
	if !slices.Contains(untyped, typ) {
		kinds = append(kinds, Name(f.Name), Name(f.ID))
	}
	return Worst(kinds)
}

// headers are the headers that carry a login or a key.
var headers = []string{
	"authorization", "proxy-authorization",
	"cookie", "cookie2", "set-cookie", "set-cookie2",
	"api-key", "x-api-key", "x-goog-api-key",
	"x-access-token", "x-auth-token", "x-amz-security-token",
	"x-csrf-token", "x-xsrf-token",
}

// Header reports whether a header carries a login or a key.
func Header(name string) bool {
	return slices.Contains(headers, strings.ToLower(strings.TrimSpace(name)))
}

// paymentHosts are payment providers whose frames hold the fields of a card.
var paymentHosts = []string{
	"2checkout.com", "adyen.com", "authorize.net", "braintree-api.com", "braintreegateway.com", "checkout.com",
	"cybersource.com", "klarna.com", "mollie.com", "paddle.com", "paypal.com", "razorpay.com", "recurly.com",
	"spreedly.com", "squarecdn.com", "squareup.com", "stripe.com", "stripe.network", "worldline-solutions.com",
	"worldpay.com",
}

// PaymentHost reports whether a host is that of a payment provider.
func PaymentHost(host string) bool {
	host = strings.TrimRight(strings.ToLower(host), ".")

	return slices.ContainsFunc(paymentHosts, func(h string) bool {
		return host == h || strings.HasSuffix(host, "."+h)
	})
}
