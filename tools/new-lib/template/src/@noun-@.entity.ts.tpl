import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('@nouns_@')
export class @Noun@ {
  @PrimaryColumn('uuid', { name: 'space_id' })
  spaceId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;
}
