package convert

import (
	"fmt"
	"testing"
)

// A conversation that names another model in every step has a bounded list of them, which says so.
func TestModelsAreBounded(t *testing.T) {
	t.Parallel()
	var o overview
	for i := range 1_000_000 {
		o.model(fmt.Sprint(i))
	}
	models := o.finish().Models
	if len(models) != maxModels+1 || models[0] != "0" || models[maxModels] != "and more" {
		t.Errorf("%d models", len(models))
	}
}
