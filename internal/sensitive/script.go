package sensitive

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// Script returns a JavaScript expression with the same table: an object whose field(type, autocomplete, name, id),
// hidden(kind) and paymentHost(host) answer as Field.Kind, Kind.Hidden and PaymentHost do. It is for an isolated world:
// a page that replaces functions of strings or lists does so only in its own world.
var Script = sync.OnceValue(func() string {
	var rules strings.Builder
	for _, n := range names {
		fmt.Fprintf(&rules, "['%s',/%s/],", n.kind, n.pattern)
	}
	list := func(words []string) string {
		text, _ := json.Marshal(words)
		return string(text)
	}
	return fmt.Sprintf(script, rules.String(), list(untyped), list(paymentHosts))
})

const script = `(() => {
  const names = [%s], untyped = %s, hosts = %s;
  const nameKind = (name) => {
    const plain = String(name).toLowerCase().replace(/[^a-z0-9]+/g, '');
    if (plain) for (const [kind, pattern] of names) if (pattern.test(plain)) return kind;
    return '';
  };
  const wordKind = (word) => {
    if (word.startsWith('cc-')) return 'payment';
    if (word.endsWith('-password')) return 'password';
    return word === 'one-time-code' ? 'code' : '';
  };
  return Object.freeze({
    field(type, autocomplete, name, id) {
      const t = String(type).toLowerCase().trim();
      if (t === 'password') return 'password';
      if (!autocomplete && !name && !id) return ''; // early: many fields have none of these
      const kinds = String(autocomplete).toLowerCase().split(/\s+/).map(wordKind);
      if (!untyped.includes(t)) kinds.push(nameKind(name), nameKind(id));
      return ['password', 'code', 'payment'].find((kind) => kinds.includes(kind)) || '';
    },
    hidden(kind) {
      return kind === 'password' || kind === 'unknown';
    },
    paymentHost(host) {
      const h = String(host).toLowerCase().replace(/\.+$/, '');
      return hosts.some((p) => h === p || h.endsWith('.' + p));
    },
  });
})()`
