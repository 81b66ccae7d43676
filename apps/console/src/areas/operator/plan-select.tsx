import type { SpaceView } from '@tieline/sdk/api';
import { useWords } from '../../language/use-words.js';
import { Select } from '../../ui/forms/select.js';
import { operatorWords } from './words.js';

type Plan = SpaceView['plan'];

/** Default rates per plan: deliveries and incoming messages per second. */
const DEFAULTS: Readonly<Record<Plan, readonly [deliveries: number, incoming: number]>> = {
  free: [5, 5],
  pro: [20, 10],
  enterprise: [100, 30],
};

/** Select for a plan, with its limits. */
export function PlanSelect({ value, onChange }: { value: Plan; onChange: (plan: Plan) => void }) {
  const words = useWords(operatorWords);
  return (
    <Select
      label={words.plan}
      name="plan"
      value={value}
      options={(['free', 'pro', 'enterprise'] as const).map((id) => ({
        id,
        label: words[id],
        hint: words.limits(...DEFAULTS[id]),
      }))}
      onChange={onChange}
    />
  );
}
