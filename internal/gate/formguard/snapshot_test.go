package formguard

import (
	"encoding/json"
	"testing"

	"cove/internal/sensitive"
)

func TestFrameHost(t *testing.T) {
	for _, c := range []struct{ base, src, want string }{
		{"https://shop.test/", "https://js.stripe.com/v3/x.html?a=b#c", "js.stripe.com"},
		{"https://shop.test/", "  HTTPS:\\\\js.stripe.com:443\\x", "js.stripe.com"},
		{"https://shop.test/", "https://user:pw@js.stri\npe.com/%zz", "js.stripe.com"},
		{"https://shop.test/", "//js.stripe.com", "js.stripe.com"},
		{"https://shop.test/", "https://js%2estripe.com/", "js.stripe.com"},
		{"https://www.paypal.com/checkout", "/card?next=a:b", "www.paypal.com"},
		{"https://shop.test/", "card", "shop.test"},
		{"https://shop.test/", "", ""},
		{"https://www.paypal.com/", "about:blank", ""},
		{"https://www.paypal.com/", "data:text/html,https://js.stripe.com", ""},
		{"https://www.paypal.com/", "javascript:1", ""},
		{"::", "card", ""},
	} {
		if got := frameHost(c.base, c.src); got != c.want {
			t.Errorf("%q in %s: %q, not %q", c.src, c.base, got, c.want)
		}
	}
}

func TestWhatIsFilledOnAPage(t *testing.T) {
	// The texts of all snapshots below: 8 is a value.
	const strings = `"strings":["INPUT","name","cardnumber","IFRAME","src","https://js.stripe.com/v3","disc","none","x",
		"https://shop.test/","id","DIV","otp"]`
	for name, c := range map[string]struct {
		document string
		known    map[int]sensitive.Kind
		want     sensitive.Kind
	}{
		"a filled card": {`"nodes":{"nodeName":[0],"attributes":[[1,2]],"backendNodeId":[7],
			"inputValue":{"index":[0],"value":[8]}}`, nil, sensitive.Payment},
		"a filled code": {`"nodes":{"nodeName":[0],"attributes":[[10,12]],"backendNodeId":[7],
			"inputValue":{"index":[0],"value":[8]}}`, nil, sensitive.Code},
		"an empty card": {`"nodes":{"nodeName":[0],"attributes":[[1,2]],"backendNodeId":[7],
			"inputValue":{"index":[0],"value":[-1]}}`, nil, sensitive.None},
		"a field that was for a password": {`"nodes":{"nodeName":[0],"attributes":[[]],"backendNodeId":[7],
			"inputValue":{"index":[0],"value":[8]}}`, map[int]sensitive.Kind{7: sensitive.Password},
			sensitive.Password},
		"a field that is drawn as dots": {`"nodes":{"nodeName":[0],"attributes":[[]],"backendNodeId":[7],
			"inputValue":{"index":[0],"value":[8]}},"layout":{"nodeIndex":[0],"styles":[[6]]}`, nil,
			sensitive.Password},
		"a field that is not": {`"nodes":{"nodeName":[0],"attributes":[[]],"backendNodeId":[7],
			"inputValue":{"index":[0],"value":[8]}},"layout":{"nodeIndex":[0],"styles":[[7]]}`, nil, sensitive.None},
		"a payment frame": {`"baseURL":9,"nodes":{"nodeName":[3],"attributes":[[4,5]],"backendNodeId":[7]},
			"layout":{"nodeIndex":[0],"bounds":[[0,0,300,40]],"styles":[[7]]}`, nil, sensitive.Payment},
		"a payment frame that nobody sees": {`"baseURL":9,"nodes":{"nodeName":[3],"attributes":[[4,5]],
			"backendNodeId":[7]},"layout":{"nodeIndex":[0],"bounds":[[0,0,1,1]],"styles":[[7]]}`, nil, sensitive.None},
		"another element with such an address": {`"baseURL":9,"nodes":{"nodeName":[11],"attributes":[[4,5]],
			"backendNodeId":[7]},"layout":{"nodeIndex":[0],"bounds":[[0,0,300,40]],"styles":[[7]]}`, nil,
			sensitive.None},
		"numbers that mean nothing": {`"baseURL":99,"nodes":{"nodeName":[-3],"attributes":[[4,99],[1]],"backendNodeId":[7],
			"inputValue":{"index":[-1,9],"value":[8,8]}},"layout":{"nodeIndex":[-2,5,0],"bounds":[[],[0,0,300,40]],
			"styles":[[],[99]]}`, nil, sensitive.None},
	} {
		t.Run(name, func(t *testing.T) {
			var s domSnapshot
			if err := json.Unmarshal([]byte(`{`+strings+`,"documents":[{`+c.document+`}]}`), &s); err != nil {
				t.Fatal(err)
			}
			if got, _ := s.sensitiveFields(c.known); got != c.want {
				t.Errorf("got %q, not %q", got, c.want)
			}
		})
	}
}
