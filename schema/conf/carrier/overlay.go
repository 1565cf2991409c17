package carrier

import "github.com/flinkadvise/flinkadvise/schema/job"

// Overlay puts the facts of a job file over those of a carrier: a fact that the job file knows goes before the carrier's.
func Overlay(carrier, file *job.Facts) *job.Facts {
	if file == nil {
		return carrier
	}
	out := *file
	fall(&out.Name, carrier.Name)
	fall(&out.Flink, carrier.Flink)
	fall(&out.Java, carrier.Java)
	fall(&out.Deployment.Target, carrier.Deployment.Target)
	fall(&out.Deployment.Mode, carrier.Deployment.Mode)
	fall(&out.Deployment.TaskManagers, carrier.Deployment.TaskManagers)
	out.TaskManager = overlayProcess(carrier.TaskManager, file.TaskManager)
	out.JobManager = overlayProcess(carrier.JobManager, file.JobManager)
	fall(&out.Job.Parallelism, carrier.Job.Parallelism)
	fall(&out.Job.MaxParallelism, carrier.Job.MaxParallelism)
	return &out
}

func overlayProcess(below, above job.Process) job.Process {
	fall(&above.CPU, below.CPU)
	fall(&above.ContainerMemory, below.ContainerMemory)
	fall(&above.DiskSize, below.DiskSize)
	fall(&above.DiskKind, below.DiskKind)
	return above
}

// fall gives an unknown fact the value below it.
func fall[T any](above *job.Fact[T], below job.Fact[T]) {
	if !above.Known {
		*above = below
	}
}
