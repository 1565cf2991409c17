package cli

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/flinkadvise/flinkadvise/schema/job"
)

// job groups what has to do with the job file.
func (c *command) job() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "job",
		Short: "Begin and check a job file, job.yaml",
		Long: `A job file says what a Flink configuration cannot: the job graph, the size of state, how fast checkpoint storage is.
Every fact is optional; a check that lacks one says which.`,
		Args: cobra.NoArgs,
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "init",
			Short: "Print a job file in which every fact stands commented out",
			Args:  cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := fmt.Fprint(c.Stdout, job.Template())
				return err
			},
		},
		&cobra.Command{
			Use:   "schema",
			Short: "Print the JSON Schema of the job file, for editors",
			Args:  cobra.NoArgs,
			RunE: func(*cobra.Command, []string) error {
				_, err := c.Stdout.Write(job.Schema())
				return err
			},
		},
		&cobra.Command{
			Use:   "check FILE",
			Short: "Read a job file, and the plan that it names, and say what is wrong with it",
			Args:  cobra.ExactArgs(1),
			RunE: func(_ *cobra.Command, args []string) error {
				facts, err := c.readFacts(args[0])
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(c.Stdout, "%s: ok, %d vertices, %d edges\n", filepath.ToSlash(args[0]), len(facts.Job.Vertices), len(facts.Job.Edges))
				for _, note := range facts.Job.PlanNotes {
					fmt.Fprintf(c.Stdout, "note: %s\n", note)
				}
				return err
			},
		},
	)
	return cmd
}
