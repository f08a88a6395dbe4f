package parents

import (
	"crypto/sha256"
	"fmt"
	"io"
	"regexp"
	"strings"

	"agy-reader/host/sidecar"
	"agy-reader/host/store"
	"agy-reader/sources"
)

// maxFacts is how many ids, prompts and pairs of both are kept of one sidecar.
const maxFacts = 100_000

// prompt is the digest of a trimmed prompt: two prompts are compared, never shown.
type prompt [sha256.Size]byte

func promptOf(text string) (prompt, bool) {
	text = strings.TrimSpace(text)
	return sha256.Sum256([]byte(text)), text != ""
}

// facts are what one sidecar says about parents and children. Ids are in lower case.
type facts struct {
	cascadeID string
	// stamp is agyReader.parentCascadeId as written; stamped says that there is one.
	stamp   string
	stamped bool
	// parent is metadata.parentConversationId; badParent says that it is there and no id.
	parent    string
	badParent bool
	// started are the ids in results of invokeSubagent.
	started []string
	// agentPaths are ids in paths of agent definitions.
	agentPaths []string
	// first is the first user prompt.
	first    prompt
	hasFirst bool
	// answers are prompts of calls, with the ids that the next planner response names.
	answers  []answer
	pending  []prompt
	kept     int
	hasBlock bool
}

type answer struct {
	prompts []prompt
	ids     []string
}

func (f *facts) keep(n int) error {
	if f.kept += n; f.kept > maxFacts {
		return fmt.Errorf("%w: it names more than %d subagents", sources.ErrLimit, maxFacts)
	}
	return nil
}

// reader collects the facts of one sidecar.
type reader struct {
	*sidecar.Scanner
	facts
}

// read scans a sidecar. Errors are those of sidecar.Scanner.
func read(in io.Reader) (facts, error) {
	r := &reader{Scanner: sidecar.NewScanner(in)}
	if err := r.Open(); err != nil {
		return r.facts, err
	}
	if err := r.Object(r.top); err != nil {
		return r.facts, err
	}
	return r.facts, r.End()
}

func (r *reader) top(name string) error {
	switch name {
	case "cascadeId":
		id, _, err := r.Text()
		r.cascadeID = strings.ToLower(id)
		return err
	case "metadata":
		return r.Object(r.metadata)
	case "steps":
		return r.Array(r.step)
	case "executorMetadatas":
		return r.Array(func() error {
			return r.at([]string{"cascadeConfig", "plannerConfig", "customizationConfig", "agentPath"})
		})
	case "generatorMetadata":
		return r.Array(func() error { return r.at([]string{"plannerConfig", "customizationConfig", "agentPath"}) })
	case "agyReader":
		return r.reader()
	}
	return r.Skip()
}

// reader takes the block of our own; what could not be stamped is corrupt here too.
func (r *reader) reader() error {
	if r.hasBlock {
		return fmt.Errorf("%w: agyReader occurs twice", sidecar.ErrCorrupt)
	}
	r.hasBlock = true
	if kind := r.Kind(); kind != '{' && kind != 'n' {
		return fmt.Errorf("%w: agyReader is not an object", sidecar.ErrCorrupt)
	}
	return r.Object(r.block)
}

func (r *reader) block(name string) error {
	if name != "parentCascadeId" {
		return r.Skip()
	}
	text, _, err := r.Text()
	r.stamp, r.stamped = text, true
	return err
}

func (r *reader) metadata(name string) error {
	if name != "parentConversationId" {
		return r.Skip()
	}
	id, isText, err := r.Text()
	if id != "" || !isText {
		r.parent, r.badParent = strings.ToLower(id), !store.IsID(id)
	}
	return err
}

// definition is a path of an agent that a parent defined.
var definition = regexp.MustCompile(`/brain/([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})/\.agents/agents/`)

// at follows names into objects, to a path of an agent definition.
func (r *reader) at(names []string) error {
	if len(names) == 0 {
		path, _, err := r.Text()
		for _, found := range definition.FindAllStringSubmatch(strings.ReplaceAll(path, `\`, "/"), -1) {
			if r.agentPaths = addID(r.agentPaths, found[1]); len(r.agentPaths) > maxFacts {
				return r.keep(maxFacts)
			}
		}
		return err
	}
	return r.Object(func(name string) error {
		if name == names[0] {
			return r.at(names[1:])
		}
		return r.Skip()
	})
}

// addID adds an id in lower case unless it was the last one added or there early: configurations repeat.
func addID(ids []string, id string) []string {
	id = strings.ToLower(id)
	if n := len(ids); n > 0 && (ids[n-1] == id || ids[0] == id) {
		return ids
	}
	return append(ids, id)
}
